package dev.pawl.engine.task;

/**
 * Takes tasks to their workers. A task that is lost on the way is handed out again after its deadline. Called by several threads at
 * once.
 */
@FunctionalInterface
public interface Dispatcher {

    /** Called once per attempt, after the commit that declared it. Must not block. */
    void dispatch(Task task);
}
