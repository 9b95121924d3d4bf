package dev.pawl.engine.flow;

import java.util.Locale;

/** What is promised of an operation when a crash falls between its effect and the record of it. It is stored with the operation. */
public enum Guarantee {
    /** Effect and record are one transaction: both or neither. */
    TRANSACTIONAL,
    /** The effect has a key, and is looked up before it is tried again. */
    RECONCILED,
    /** The receiver recognises the key: it is tried again with the same one. */
    IDEMPOTENT,
    /** Never tried again: it may have happened, or not. */
    AT_MOST_ONCE,
    /** Tried again: it may happen twice. */
    AT_LEAST_ONCE;

    /** As it is written: {@code at-least-once}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
