package dev.pawl.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A failed sync may be followed by a new descriptor or by writing everything again, and by nothing else. */
class DiskTraceTest {

    private static final String WRITTEN = "7 pwrite64(31</x/pawl.db-wal>, \"\"..., 4096, 24) = 4096";
    private static final String SYNCED = "7 fsync(31</x/pawl.db-wal>)    = 0";
    private static final String FAILED = "7 fsync(31</x/pawl.db-wal>) = -1 EIO (Input/output error) (INJECTED)";
    private static final String CLOSED = "7 close(31</x/pawl.db-wal>)    = 0";

    private static List<String> violations(String... lines) {
        return DiskTrace.of(Stream.of(lines)).violations();
    }

    @Test
    void secondSyncOfTheSameDescriptorIsFound() {
        assertThat(violations(WRITTEN, FAILED, SYNCED)).hasSize(1);
        assertThat(violations(WRITTEN, FAILED, WRITTEN, SYNCED)).hasSize(1);
    }

    @Test
    void newDescriptorIsFine() {
        assertThat(violations(WRITTEN, SYNCED, WRITTEN, FAILED, CLOSED, WRITTEN, SYNCED)).isEmpty();
    }

    /** As seen when the first tables of a file could not be made durable: nothing is claimed of what was not synced. */
    @Test
    void logThatIsOnlyClosedMayBeSyncedAgain() {
        assertThat(violations(WRITTEN, FAILED, SYNCED, CLOSED)).isEmpty();
        assertThat(violations(WRITTEN, FAILED, SYNCED, WRITTEN, CLOSED)).hasSize(1);
        assertThat(violations(WRITTEN, FAILED, WRITTEN, SYNCED, CLOSED)).hasSize(1);
    }

    @Test
    void syncOfNothingNewMayFail() {
        assertThat(violations(WRITTEN, SYNCED, FAILED, SYNCED)).isEmpty();
    }

    @Test
    void databaseMayBeWrittenAgain() {
        assertThat(violations(Stream.of(WRITTEN, FAILED, WRITTEN, SYNCED).map(each -> each.replace("-wal", ""))
                .toArray(String[]::new))).isEmpty();
        assertThat(violations(Stream.of(WRITTEN, FAILED, SYNCED).map(each -> each.replace("-wal", ""))
                .toArray(String[]::new))).hasSize(1);
    }

    @Test
    void callInTwoPartsIsOneCall() {
        DiskTrace trace = DiskTrace.of(Stream.of(WRITTEN, "7 fsync(31</x/pawl.db-wal> <unfinished ...>",
                "8 close(32</x/pawl.db>) = 0",
                "7 <... fsync resumed>) = -1 EIO (Input/output error) (INJECTED)", SYNCED));

        assertThat(trace.violations()).hasSize(1);
        assertThat(trace.injected()).isOne();
    }
}
