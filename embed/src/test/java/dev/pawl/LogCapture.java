package dev.pawl;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What Pawl logs while it is open: {@code System.Logger} goes to {@code java.util.logging} in tests. */
final class LogCapture implements AutoCloseable {

    /** Held, because the log manager forgets loggers that nothing refers to. */
    private static final Logger PAWL = Logger.getLogger("dev.pawl");

    private final List<LogRecord> records = Collections.synchronizedList(new ArrayList<>());

    private final Handler handler = new Handler() {

        @Override
        public void publish(LogRecord record) {
            records.add(record);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    LogCapture() {
        PAWL.addHandler(handler);
    }

    /** The messages of a level, of those that contain a text. */
    List<String> at(Level level, String text) {
        return List.copyOf(records).stream().filter(each -> each.getLevel().equals(level)).map(LogRecord::getMessage)
                .filter(message -> message.contains(text)).toList();
    }

    /** Everything at this level or above. */
    List<String> from(Level level) {
        return List.copyOf(records).stream().filter(each -> each.getLevel().intValue() >= level.intValue())
                .map(each -> each.getLevel() + " " + each.getMessage()).toList();
    }

    @Override
    public void close() {
        PAWL.removeHandler(handler);
    }
}
