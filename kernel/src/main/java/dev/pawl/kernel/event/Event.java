package dev.pawl.kernel.event;

import dev.pawl.kernel.id.Hash;

/**
 * One link of a workflow's chain: what the commit that made version {@code number} did. Its hash covers its text, and its
 * text holds the hash of the event before it, so that the last hash stands for all of them.
 */
public record Event(long number, String json, Hash hash) {

    private static final String PREVIOUS = "\"previous\":\"";

    /** An event as it was written; what it hashes to is computed anew. */
    public static Event of(long number, String json) {
        return new Event(number, json, Hash.of(json));
    }

    /** Whether this event says that it comes right after the one with that hash; the first one names none. */
    public boolean follows(Hash previous) {
        // Unescaped quotes are found around names and values alone, and no object inside has a member named "previous", so what
        // is found is the event's own.
        return previous.equals(Hash.NONE)
                ? !json.contains(PREVIOUS)
                : json.contains(PREVIOUS + previous.base64() + '"');
    }
}
