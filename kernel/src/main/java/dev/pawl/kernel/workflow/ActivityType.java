package dev.pawl.kernel.workflow;

/** The seven kinds of activity a definition is made of. */
public enum ActivityType {
    TRIGGER, WORKER, AWAIT, HOOK, SIGNAL, CYCLE, INTERRUPT
}
