package dev.pawl.engine.flow;

/** Where the threads of flows come from. */
public interface FlowThreads {

    /** Runs something that may block for as long as it likes. */
    void start(String name, Runnable code);

    /** Runs something short a moment later. */
    void soon(Runnable code);
}
