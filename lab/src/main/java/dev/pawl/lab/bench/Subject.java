package dev.pawl.lab.bench;

import java.util.List;

/** Something that makes batches durable, and is measured doing it. */
interface Subject extends AutoCloseable {

    String name();

    /** An empty place to write to, for these groups of one shard each. */
    Trial fresh(List<Recording> recordings);

    @Override
    void close();
}
