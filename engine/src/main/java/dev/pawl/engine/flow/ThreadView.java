package dev.pawl.engine.flow;

import java.util.List;

/**
 * What a thread does at a moment, for people.
 *
 * @param runnable whether it runs, or would if there were a processor for it
 */
record ThreadView(String name, boolean runnable, List<StackTraceElement> stack) {

    static final ThreadView NONE = new ThreadView("", false, List.of());

    private static final int FRAMES_MAX = 8;

    static ThreadView of(Thread thread) {
        return new ThreadView(thread.getName(), thread.getState() == Thread.State.RUNNABLE,
                List.of(thread.getStackTrace()));
    }

    /** Whether it computes: what waits is in a native method, or not runnable. */
    boolean computes() {
        return runnable && !stack.isEmpty() && !stack.getFirst().isNativeMethod();
    }

    /** Whether a virtual thread holds its carrier: one that waits for one has not begun, or is where it was parked. */
    boolean mounted() {
        return runnable && !stack.isEmpty() && !stack.getFirst().getClassName().startsWith("java.lang.VirtualThread");
    }

    /** The topmost of the stack, each on its own line. */
    String frames() {
        StringBuilder text = new StringBuilder();
        stack.stream().limit(FRAMES_MAX).forEach(frame -> text.append("\n      at ").append(frame));
        return text.toString();
    }
}
