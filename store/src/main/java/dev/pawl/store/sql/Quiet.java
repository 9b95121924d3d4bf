package dev.pawl.store.sql;

import org.flywaydb.core.api.logging.Log;
import org.flywaydb.core.api.logging.LogCreator;

/** Keeps Flyway from talking: a library that is opened prints nothing, and what goes wrong is in the exception. */
public final class Quiet implements LogCreator {

    @Override
    public Log createLogger(Class<?> type) {
        return new Silence();
    }

    private static final class Silence implements Log {

        @Override
        public void debug(String message) {
            // Nobody listens.
        }

        @Override
        public void info(String message) {
            // Nobody listens.
        }

        @Override
        public void warn(String message) {
            // Nobody listens.
        }

        @Override
        public void error(String message) {
            // It is thrown, too.
        }

        @Override
        public void error(String message, Exception e) {
            // It is thrown, too.
        }

        @Override
        public void notice(String message) {
            // Nobody listens.
        }
    }
}
