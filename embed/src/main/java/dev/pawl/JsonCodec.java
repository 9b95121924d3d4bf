package dev.pawl;

import dev.pawl.engine.flow.Codec;
import dev.pawl.engine.flow.PayloadError;
import dev.pawl.kernel.message.Payload;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Values as JSON: members and keys in their order, so that the same value always gives the same bytes. */
final class JsonCodec implements Codec {

    private static final Payload NULL = Payload.of("null".getBytes(java.nio.charset.StandardCharsets.UTF_8));

    private final JsonMapper mapper = JsonMapper.builder()
            .enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();
    private final Map<Type, ObjectReader> readers = new ConcurrentHashMap<>();
    private final int bytesMax;

    JsonCodec(int bytesMax) {
        this.bytesMax = bytesMax;
    }

    @Override
    public Payload encode(@Nullable Object value) {
        if (value == null) {
            return NULL;
        }
        byte[] bytes;
        try {
            bytes = mapper.writeValueAsBytes(value);
        } catch (JacksonException e) {
            throw PayloadError.unreadable("a " + value.getClass().getName() + " cannot be written as JSON: "
                    + e.getOriginalMessage(), e);
        }
        if (bytes.length > bytesMax) {
            throw PayloadError.tooLarge(bytes.length, bytesMax);
        }
        return Payload.of(bytes);
    }

    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals")
    public <T> @Nullable T decode(Payload payload, Type type) {
        if (payload.size() == 0) {
            return null;
        }
        try {
            return reader(type).readValue(payload.bytes());
        } catch (JacksonException e) {
            // Not the text itself: payloads do not belong in messages.
            throw PayloadError.unreadable("a payload of " + payload.size() + " bytes is not a "
                    + type.getTypeName() + ": " + e.getClass().getSimpleName(), e);
        }
    }

    private ObjectReader reader(Type type) {
        return readers.computeIfAbsent(type, missing -> {
            JavaType javaType = mapper.constructType(missing);
            return mapper.readerFor(javaType);
        });
    }
}
