package dev.pawl.engine.world;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** The processor time of threads, as far as the machine tells it. */
public final class CpuTime {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private CpuTime() {
    }

    /** Nanoseconds that a thread has computed; -1 if that is not known, as for virtual threads. */
    public static long nanos(Thread thread) {
        boolean known = !thread.isVirtual() && THREADS.isThreadCpuTimeSupported() && THREADS.isThreadCpuTimeEnabled();
        return known ? THREADS.getThreadCpuTime(thread.threadId()) : -1;
    }
}
