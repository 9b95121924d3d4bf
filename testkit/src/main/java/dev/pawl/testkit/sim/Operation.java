package dev.pawl.testkit.sim;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The primitives of the store port, as faults name them. */
public enum Operation {
    CREATE_SHARDS("createShards"),
    LEASES("leases"),
    CLAIM("claim"),
    TAKE_OVER("takeOver"),
    RAISE("raise"),
    RELEASE("release"),
    ABANDON("abandon"),
    RENEW("renewAll"),
    PRESENCES("presences"),
    FORGET("forget"),
    DEPART("depart"),
    COMMIT("commit"),
    TRANSACT("transact"),
    START("start"),
    SIGNAL("signal"),
    POST("post"),
    LOAD("load"),
    INBOX("inbox"),
    QUEUE("queue"),
    DUE("due"),
    NEXT_DUE("nextDue"),
    TASKS("tasks"),
    AWAKE("awake"),
    WORKFLOWS("workflows"),
    HOOKED("hooked"),
    EVENTS("events"),
    GIVEN_UP("givenUp"),
    SWEEP("sweep"),
    SWEEPABLE("sweepable"),
    ORPHANS("orphans"),
    DECIDE("decide"),
    DECISIONS("decisions"),
    AWAITING("awaiting"),
    PARKED("parked"),
    ACQUIRE_SLOTS("acquireSlots"),
    RENEW_SLOTS("renewSlots"),
    RELEASE_SLOTS("releaseSlots"),
    UNKNOWN_EFFECTS("unknownEffects");

    private static final Map<String, Operation> BY_METHOD = Arrays.stream(values())
            .collect(Collectors.toMap(operation -> operation.method, operation -> operation));

    private final String method;

    Operation(String method) {
        this.method = method;
    }

    static @Nullable Operation of(String method) {
        return BY_METHOD.get(method);
    }
}
