package dev.pawl.engine.graph;

import dev.pawl.engine.Definition;
import dev.pawl.kernel.id.Recipient;
import java.util.function.Function;

/** The workflow that an await starts: under which id, and of which definition. */
public record Child(Function<Data, Recipient> recipient, String definition, String version, String trigger) {

    public static Child of(Definition definition, Function<Data, Recipient> recipient) {
        return new Child(recipient, definition.name(), definition.version(), definition.trigger());
    }
}
