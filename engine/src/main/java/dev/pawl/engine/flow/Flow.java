package dev.pawl.engine.flow;

import dev.pawl.engine.Definition;
import dev.pawl.kernel.collation.Behaviour;
import dev.pawl.kernel.id.Names;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * A definition written as Java code. Immutable.
 *
 * @param <I> what it is started with
 * @param <O> what it returns
 */
public final class Flow<I extends @Nullable Object, O extends @Nullable Object> implements Definition {

    private static final String FIRST_VERSION = "1";

    private final String name;
    private final String version;
    private final Type input;
    private final Type output;
    private final FlowFunction<I, O> code;

    private Flow(String name, String version, Type input, Type output, FlowFunction<I, O> code) {
        this.name = Names.require("a flow's name", name);
        this.version = Names.require("a flow's version", version);
        this.input = input;
        this.output = output;
        this.code = code;
    }

    public static <I extends @Nullable Object, O extends @Nullable Object> Flow<I, O> named(String name, Class<I> input,
            Class<O> output, FlowFunction<I, O> code) {
        return new Flow<>(name, FIRST_VERSION, input, output, code);
    }

    /** One whose types have parameters. */
    public static <I extends @Nullable Object, O extends @Nullable Object> Flow<I, O> named(String name,
            TypeRef<I> input, TypeRef<O> output, FlowFunction<I, O> code) {
        return new Flow<>(name, FIRST_VERSION, input.type(), output.type(), code);
    }

    /** The same name with other code: what was started in an earlier version is run by that one's code. */
    public Flow<I, O> version(String newVersion) {
        return new Flow<>(name, newVersion, input, output, code);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public String trigger() {
        return FlowBehaviour.TRIGGER;
    }

    @Override
    public Behaviour behaviour() {
        return FlowBehaviour.INSTANCE;
    }

    public Type input() {
        return input;
    }

    public Type output() {
        return output;
    }

    FlowFunction<I, O> code() {
        return code;
    }

    @Override
    public String toString() {
        return name + " version " + version;
    }
}
