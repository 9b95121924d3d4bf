package dev.pawl.engine.task;

/** Where the threads of flows come from. */
public interface FlowThreads {

    /** Runs something that may block for as long as it likes. */
    void start(String name, Runnable code);

    /** Runs something that talks to a database: on a thread that such a thing may block. */
    void beside(Runnable work);

    /** Runs something short a moment later. */
    void soon(Runnable code);
}
