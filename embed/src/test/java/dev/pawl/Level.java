package dev.pawl;

/** What can be promised of an operation. */
enum Level {
    ENGINE_TRANSACTION("transactional, engine's database"),
    OWN_TRANSACTION("transactional, application's database"),
    RECONCILED("reconciled"), IDEMPOTENT("idempotent"), AT_MOST_ONCE("at-most-once"),
    AT_LEAST_ONCE("at-least-once");

    final String text;

    Level(String text) {
        this.text = text;
    }

    boolean transaction() {
        return this == ENGINE_TRANSACTION || this == OWN_TRANSACTION;
    }
}
