package dev.pawl;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import dev.pawl.engine.flow.Codec;
import dev.pawl.engine.flow.PayloadError;
import dev.pawl.kernel.message.Payload;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes values as JSON by Jackson: members and keys in their order, so that the same value always gives the same bytes, and decimal
 * numbers with all their digits, whether their type is known or not. Immutable, safe for use by many threads.
 *
 * <pre>{@code
 * Codec codec = JsonCodec.builder().mapper(myMapper).transform(AesGcm.with("2026-11", key)).build();
 * }</pre>
 */
public final class JsonCodec implements Codec {

    private static final byte[] NULL = "null".getBytes(StandardCharsets.UTF_8);
    /** One that is not there is no zero: the price in a class whose member was renamed would be nothing. */
    private static final List<Class<?>> PRIMITIVES = List.of(boolean.class, byte.class, char.class, short.class,
            int.class, long.class, float.class, double.class);
    private static final int PAYLOAD_BYTES_MAX = 2 * 1024 * 1024;

    private final JsonMapper mapper;
    private final int bytesMax;
    private final @Nullable PayloadTransform transform;
    private final Map<Type, ObjectReader> readers = new ConcurrentHashMap<>();

    private JsonCodec(Builder builder) {
        JsonMapper.Builder settings = builder.mapper.rebuild();
        PRIMITIVES.forEach(type -> settings.withConfigOverride(type,
                override -> override.setNullHandling(JsonSetter.Value.forValueNulls(Nulls.FAIL))));
        this.mapper = settings
                .enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
                .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .enable(JsonNodeFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                .enable(DateTimeFeature.WRITE_DATES_WITH_ZONE_ID)
                .disable(DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
                .build();
        this.bytesMax = builder.payloadBytesMax;
        this.transform = builder.transform;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Configures a {@link JsonCodec}; every setting has a default. Not thread-safe. */
    public static final class Builder {

        private JsonMapper mapper = JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .build();
        private int payloadBytesMax = PAYLOAD_BYTES_MAX;
        private @Nullable PayloadTransform transform;

        private Builder() {
        }

        /**
         * A mapper of your own, with its modules and settings; default: one that ignores members it does not know. What replay needs is
         * switched on in a copy of it: members in their order, decimal numbers and time zones as they are, and an error for a number or truth
         * that is missing and cannot be null.
         */
        public Builder mapper(JsonMapper newMapper) {
            mapper = newMapper;
            return this;
        }

        /** Largest payload as it is stored; default 2 MiB. */
        public Builder payloadBytesMax(int bytes) {
            payloadBytesMax = bytes;
            return this;
        }

        /** What is done to the bytes before they are stored, for example {@link AesGcm}; default nothing. */
        public Builder transform(PayloadTransform newTransform) {
            transform = newTransform;
            return this;
        }

        public JsonCodec build() {
            return new JsonCodec(this);
        }
    }

    @Override
    public Payload encode(@Nullable Object value) {
        byte[] json;
        try {
            json = value == null ? NULL : mapper.writeValueAsBytes(value);
        } catch (JacksonException e) {
            throw PayloadError.unwritable("a " + (value == null ? "null" : value.getClass().getName())
                    + " cannot be written as JSON: " + e.getOriginalMessage(), e);
        }
        byte[] stored = transform == null ? json : transform.seal(json);
        if (stored.length > bytesMax) {
            throw PayloadError.tooLarge(stored.length, bytesMax);
        }
        return Payload.of(stored);
    }

    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals")
    public <T> @Nullable T decode(Payload payload, Type type) {
        if (payload.size() == 0) {
            return null;
        }
        byte[] json = opened(payload);
        try {
            return reader(type).readValue(json);
        } catch (JacksonException e) {
            throw UnreadableJson.describe(e, json, type, mapper);
        }
    }

    /** However it is spelled, and whatever the transform has made of it. Numbers are compared digit by digit. */
    @Override
    public boolean same(Payload one, Payload other) {
        if (one.equals(other)) {
            return true;
        }
        if (one.size() == 0 || other.size() == 0) {
            return false;
        }
        try {
            return mapper.readTree(opened(one)).equals(JsonCodec::compare, mapper.readTree(opened(other)));
        } catch (JacksonException e) {
            return false;
        }
    }

    private static int compare(JsonNode one, JsonNode other) {
        boolean numbers = one.isNumber() && other.isNumber();
        return numbers ? one.decimalValue().compareTo(other.decimalValue()) : one.equals(other) ? 0 : 1;
    }

    private byte[] opened(Payload payload) {
        if (transform == null) {
            return payload.bytes();
        }
        try {
            return transform.open(payload.bytes());
        } catch (RuntimeException e) {
            throw PayloadError.unreadable("a payload of " + payload.size() + " bytes cannot be opened: "
                    + e.getMessage(), e);
        }
    }

    private ObjectReader reader(Type type) {
        ObjectReader known = readers.get(type);
        // Without the lock that the other one takes, as a rule.
        return known != null ? known : readers.computeIfAbsent(type, missing -> {
            JavaType javaType = mapper.constructType(missing);
            return mapper.readerFor(javaType);
        });
    }
}
