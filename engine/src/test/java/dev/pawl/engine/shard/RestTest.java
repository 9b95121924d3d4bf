package dev.pawl.engine.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RestTest {

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofSeconds(1);

    @Test
    void endsWhenItsTimeIsUp() {
        Rest rest = Rest.of(SHORTEST, NOW);

        assertThat(rest.over(NOW)).isFalse();
        assertThat(rest.over(NOW.plusMillis(99))).isFalse();
        assertThat(rest.over(NOW.plusMillis(100))).isTrue();
    }

    @Test
    void clockThatIsSetBackEndsIt() {
        assertThat(Rest.of(SHORTEST, NOW).over(NOW.minusSeconds(3600))).isTrue();
    }

    @Test
    void doublesWithEveryFailureUpToItsLimit() {
        assertThat(Rest.after(0, SHORTEST, LONGEST, NOW).until()).isEqualTo(NOW.plusMillis(100));
        assertThat(Rest.after(3, SHORTEST, LONGEST, NOW).until()).isEqualTo(NOW.plusMillis(800));
        assertThat(Rest.after(Integer.MAX_VALUE, SHORTEST, LONGEST, NOW).until()).isEqualTo(NOW.plusSeconds(1));
    }
}
