package dev.pawl.lab.bench;

/**
 * What a database was made to write.
 *
 * @param rows inserted, replaced or deleted
 * @param bytes to its log, or to the disk altogether where the log cannot be told from the rest
 */
record Written(double rows, double bytes, double commits) {

    static final Written NOTHING = new Written(0, 0, 0);

    Written since(Written before) {
        return new Written(rows - before.rows, bytes - before.bytes, commits - before.commits);
    }

    Written per(double count) {
        return new Written(rows / count, bytes / count, commits / count);
    }
}
