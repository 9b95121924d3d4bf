package dev.pawl.store.sql;

import org.slf4j.LoggerFactory;

/**
 * The warning that SLF4J prints to standard error if it finds no provider. The connection pool logs with SLF4J, and so does the SQLite
 * driver if it is there; Pawl itself logs with {@link System.Logger}. An application that has not chosen SLF4J need not hear of it. Where
 * there is a provider, its log gets everything as usual. None is brought along: two providers make SLF4J choose one by chance.
 */
public final class ProviderWarning {

    private static final String VERBOSITY = "slf4j.internal.verbosity";

    private ProviderWarning() {
    }

    /** To be called before the driver or the pool makes its first logger. Does nothing if SLF4J is absent, in use, or has a provider. */
    public static void suppress() {
        if (!present() || provided(LoggerFactory.class.getClassLoader()) || System.getProperty(VERBOSITY) != null) {
            return;
        }
        System.setProperty(VERBOSITY, "ERROR");
        try {
            // Reads the property once, and looks for a provider once.
            LoggerFactory.getILoggerFactory();
        } finally {
            System.clearProperty(VERBOSITY);
        }
    }

    private static boolean present() {
        try {
            Class.forName("org.slf4j.LoggerFactory", false, ProviderWarning.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }

    /** Also one that is too old for the version of SLF4J: that warning is worth reading. */
    private static boolean provided(ClassLoader loader) {
        return System.getProperty("slf4j.provider") != null
                || loader.getResource("META-INF/services/org.slf4j.spi.SLF4JServiceProvider") != null
                || loader.getResource("org/slf4j/impl/StaticLoggerBinder.class") != null;
    }
}
