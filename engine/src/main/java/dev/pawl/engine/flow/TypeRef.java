package dev.pawl.engine.flow;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;

/**
 * A type with its parameters: {@code new TypeRef<List<Order>>() {}}.
 *
 * @param <T> the type
 */
public abstract class TypeRef<T> {

    private final Type type;

    protected TypeRef() {
        if (!(getClass().getGenericSuperclass() instanceof ParameterizedType parameterized)) {
            throw new IllegalArgumentException("a type reference names its type: new TypeRef<List<Order>>() {}");
        }
        type = parameterized.getActualTypeArguments()[0];
    }

    public final Type type() {
        return type;
    }
}
