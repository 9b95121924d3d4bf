package dev.pawl.kernel.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.kernel.id.Hash;
import org.junit.jupiter.api.Test;

class EventTest {

    private static final Hash BEFORE = Hash.of("the one before");

    @Test
    void hashCoversTheText() {
        assertThat(Event.of(1, "{}").hash()).isEqualTo(Hash.of("{}")).isNotEqualTo(Event.of(1, "{ }").hash());
    }

    @Test
    void eventFollowsTheOneItNames() {
        String json = Json.object().put("cause", "test").put("previous", BEFORE.base64()).end();

        assertThat(Event.of(7, json).follows(BEFORE)).isTrue();
        assertThat(Event.of(7, json).follows(Hash.of("another"))).isFalse();
        assertThat(Event.of(7, json).follows(Hash.NONE)).isFalse();
    }

    @Test
    void firstEventNamesNone() {
        assertThat(Event.of(1, "{}").follows(Hash.NONE)).isTrue();
        assertThat(Event.of(1, "{}").follows(BEFORE)).isFalse();
    }

    /** Whoever chooses a topic or a reason must not be able to say what comes before an event. */
    @Test
    void whatIsSaidInsideAStringDoesNotCount() {
        String claim = "\"previous\":\"" + BEFORE.base64() + "\"";

        assertThat(Event.of(7, Json.object().put("reason", claim).end()).follows(BEFORE)).isFalse();
        assertThat(Event.of(7, Json.object().put("reason", "\\" + claim).end()).follows(BEFORE)).isFalse();
        assertThat(Event.of(1, Json.object().put("reason", claim).end()).follows(Hash.NONE)).isTrue();
    }
}
