package dev.pawl.store.postgres;

import java.util.Locale;

/** The parts of the commit's statement, in the order they stand in it. Each has the name of its text in postgres.sql. */
enum PgPart {

    FENCE(Group.FRAME), FIND_WORKFLOW(Group.LIFE),

    APPEND_EVENT_AFTER(Group.STEP), MOVE_SEMAPHORE(Group.LIFE), LIES_IN_INBOX(Group.INBOX),
    SIGNAL_IS_KNOWN(Group.SIGNAL),

    APPEND_EVENT(Group.STEP),

    COMMIT_WORKFLOW(Group.LIFE), CREATE_WORKFLOW(Group.LIFE), CLOSE_WORKFLOW(Group.LIFE), END_ALL_WAITING(Group.LIFE),

    HOLD_WORKFLOW(Group.HOLD), PUT_WAITING(Group.WAIT), END_WAITING(Group.WAIT),

    QUEUE_MESSAGE(Group.QUEUE), ACKNOWLEDGE_MESSAGE(Group.QUEUE), MOVE_JOIN(Group.JOIN),

    PUT_EFFECT(Group.EFFECT),

    PUT_ATTRIBUTE(Group.ATTRIBUTE), REMOVE_ATTRIBUTE(Group.ATTRIBUTE),

    ACCEPT_IN_COMMIT(Group.SIGNAL),

    TAKE_FROM_INBOX(Group.INBOX), POST_MESSAGE(Group.POST),

    CHARGE_MESSAGE(Group.TROUBLE), GIVE_UP_MESSAGE(Group.TROUBLE), CHARGE_IN_INBOX(Group.TROUBLE),
    GIVE_UP_IN_INBOX(Group.TROUBLE);

    /**
     * What is often wanted together is always there together. A part without rows costs little; another text would cost its
     * planning, and memory of the server in every connection: half a megabyte each.
     */
    enum Group {
        /** In every statement. */
        FRAME, STEP, LIFE, HOLD, WAIT, QUEUE, JOIN, EFFECT, ATTRIBUTE, SIGNAL, INBOX, POST, TROUBLE
    }

    private final Group group;

    PgPart(Group group) {
        this.group = group;
    }

    Group group() {
        return group;
    }

    /** Gives rows only for what speaks against the batch. */
    boolean check() {
        return this == APPEND_EVENT_AFTER || this == MOVE_SEMAPHORE || this == LIES_IN_INBOX || this == SIGNAL_IS_KNOWN;
    }

    /** Writes, if there is a verdict. */
    boolean write() {
        return group != Group.FRAME && this != FIND_WORKFLOW && !check();
    }

    /** What it is called in the file and in the statement. */
    String sqlName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
