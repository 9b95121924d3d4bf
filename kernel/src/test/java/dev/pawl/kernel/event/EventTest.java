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
    void eventFollowsTheOneItNamesUnderItsOwnNumber() {
        String json = Json.object().put("number", 7).put("previous", BEFORE.hex()).put("v", 1).end();

        assertThat(Event.of(7, json).follows(BEFORE)).isTrue();
        assertThat(Event.of(7, json).follows(Hash.NONE)).isFalse();
        assertThat(Event.of(8, json).follows(BEFORE)).isFalse();
        assertThat(Event.of(70, json).follows(BEFORE)).isFalse();
    }

    /** Whoever chooses a topic or a reason must not be able to say what comes before an event. */
    @Test
    void whatIsSaidInsideAStringDoesNotCount() {
        String claim = "\"number\":7,\"previous\":\"" + BEFORE + "\"";

        assertThat(Event.of(7, Json.object().put("reason", claim).end()).follows(BEFORE)).isFalse();
        assertThat(Event.of(7, Json.object().put("reason", "\\" + claim).end()).follows(BEFORE)).isFalse();
    }
}
