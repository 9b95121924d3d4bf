package dev.pawl.store.sqlite;

import java.time.Duration;

/**
 * How a file is opened.
 *
 * @param checkTime how long the file may be checked for damage after an unclean end; zero for no check. After an orderly end it is at
 *        most half a second
 * @param openDamaged whether a file is opened in which damage was found
 */
public record SqliteOptions(Duration checkTime, boolean openDamaged) {

    public static final SqliteOptions DEFAULT = new SqliteOptions(Duration.ofSeconds(2), false);

    private static final Duration ORDERLY_MAX = Duration.ofMillis(500);

    public SqliteOptions {
        if (checkTime.isNegative()) {
            throw new IllegalArgumentException("the time of a check is not negative, as " + checkTime + " is");
        }
    }

    public SqliteOptions withCheckTime(Duration time) {
        return new SqliteOptions(time, openDamaged);
    }

    public SqliteOptions withOpenDamaged(boolean open) {
        return new SqliteOptions(checkTime, open);
    }

    Duration checkTime(boolean unclean) {
        return unclean || checkTime.compareTo(ORDERLY_MAX) < 0 ? checkTime : ORDERLY_MAX;
    }
}
