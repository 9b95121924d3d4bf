package dev.pawl;

/** Where the process ends; numbered as in the specification. */
enum Window {
    UNDECLARED("1 before it is declared"), DECLARED("1 declared, before it runs"),
    DONE("2 after the effect, before any record of it"), RECORDED_ELSEWHERE("3 recorded, but not in the engine"),
    HALF_RECORDED("4 in the event log, but not in the ledger"), COMMITTED("5 after the commit");

    final String text;

    Window(String text) {
        this.text = text;
    }

    /** What is one commit has no inside; and what is not declared does not end before that or after it. */
    boolean exists(Level level) {
        return switch (this) {
            case DONE, COMMITTED -> true;
            case UNDECLARED -> level != Level.AT_LEAST_ONCE;
            case DECLARED -> level != Level.ENGINE_TRANSACTION && level != Level.AT_LEAST_ONCE;
            case RECORDED_ELSEWHERE -> level == Level.OWN_TRANSACTION;
            case HALF_RECORDED -> false;
        };
    }
}
