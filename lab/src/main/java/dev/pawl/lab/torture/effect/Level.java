package dev.pawl.lab.torture.effect;

/** What is promised of an operation of a tortured flow. */
public enum Level {
    STEP, AT_LEAST_ONCE, IDEMPOTENT, AT_MOST_ONCE, RECONCILED,
    /** Statements in the engine's database. Their body runs again if the commit is refused; only their rows count. */
    ENGINE_TRANSACTION,
    /** Statements in a database of the application. */
    OWN_TRANSACTION;

    /** Whether the effect is a row in a database instead of a call of the {@link EffectServer}. */
    boolean transactional() {
        return this == ENGINE_TRANSACTION || this == OWN_TRANSACTION;
    }
}
