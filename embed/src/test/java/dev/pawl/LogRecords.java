package dev.pawl;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What a class logs while this is open. */
final class LogRecords extends Handler implements AutoCloseable {

    /** Held: the log manager would forget a logger that no one holds, and its handlers with it. */
    private final Logger logger;
    private final List<String> messages = new CopyOnWriteArrayList<>();

    LogRecords(Class<?> source) {
        this.logger = Logger.getLogger(source.getName());
        logger.addHandler(this);
    }

    List<String> messages() {
        return messages;
    }

    @Override
    public void publish(LogRecord message) {
        messages.add(message.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
