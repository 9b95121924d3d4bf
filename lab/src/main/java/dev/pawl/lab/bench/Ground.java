package dev.pawl.lab.bench;

import dev.pawl.engine.store.Store;
import java.util.List;

/** A new database for whole workflows to run on, as a user gets it. One store at a time has it open. */
interface Ground extends AutoCloseable {

    /** Opens it; everything that is to be counted goes through this store. */
    Store open();

    /** Where it is, for an engine that brings a store of its own. */
    String url();

    /** As many as a group of Pawl gets here if nobody says otherwise. */
    int shards();

    /** So far. Exact only while no store is open: a server's account is complete when its clients have left. */
    Written written();

    long bytesOnDisk();

    /** What is in it, largest first, for people. */
    List<String> contents();

    /** Nothing of it is left. */
    @Override
    void close();
}
