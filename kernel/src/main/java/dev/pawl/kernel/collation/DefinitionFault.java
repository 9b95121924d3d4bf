package dev.pawl.kernel.collation;

/**
 * A definition that asks for what cannot be: an activity spawned twice, a cycle to nowhere. The workflow cannot go on, but
 * nothing durable is broken: a definition that is mended lets it.
 */
public final class DefinitionFault extends RuntimeException {

    private static final long serialVersionUID = 1L;

    DefinitionFault(String message) {
        super(message);
    }
}
