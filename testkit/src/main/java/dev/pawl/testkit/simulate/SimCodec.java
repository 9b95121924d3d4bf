package dev.pawl.testkit.simulate;

import dev.pawl.engine.flow.Codec;
import dev.pawl.engine.flow.PayloadError;
import dev.pawl.kernel.message.Payload;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.json.JsonMapper;

/** Values as plain JSON. */
public final class SimCodec implements Codec {

    public static final SimCodec INSTANCE = new SimCodec();

    private final JsonMapper mapper = JsonMapper.builder()
            .enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .build();

    private SimCodec() {
    }

    @Override
    public Payload encode(@Nullable Object value) {
        return Payload.of(mapper.writeValueAsBytes(value));
    }

    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals")
    public <T> @Nullable T decode(Payload payload, Type type) {
        if (payload.size() == 0) {
            return null;
        }
        try {
            return mapper.readerFor(mapper.constructType(type)).readValue(payload.bytes());
        } catch (JacksonException e) {
            throw PayloadError.unreadable("not a " + type.getTypeName() + ": " + e.getOriginalMessage(), e);
        }
    }
}
