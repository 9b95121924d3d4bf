package dev.pawl.testkit.flows;

import dev.pawl.engine.flow.Codec;
import dev.pawl.engine.flow.PayloadError;
import dev.pawl.kernel.message.Payload;
import dev.pawl.testkit.simulate.SimCodec;
import java.lang.reflect.Type;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The code as it was deployed to one process: of one class it has a version of its own, and cannot read what another version has written,
 * until code is there that can read both.
 */
record Deployment(int version, BooleanSupplier readsAll) implements Codec {

    /** The class that has versions; which one it was written with is stored with it. */
    record Stamped(String text, int version) {
    }

    @Override
    public Payload encode(@Nullable Object value) {
        return SimCodec.INSTANCE.encode(value instanceof Stamped stamped ? new Stamped(stamped.text(), version)
                : value);
    }

    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals")
    public <T> @Nullable T decode(Payload payload, Type type) {
        T value = SimCodec.INSTANCE.decode(payload, type);
        if (value instanceof Stamped stamped && !reads(stamped.version())) {
            throw PayloadError.unreadable(type, "$.version", "version " + version, "version " + stamped.version());
        }
        return value;
    }

    boolean reads(int other) {
        return other == version || readsAll.getAsBoolean();
    }
}
