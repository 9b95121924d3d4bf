package dev.pawl.engine.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.kernel.event.Json;
import dev.pawl.kernel.message.Payload;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the engine has written for itself it reads again, whatever the user's codec is. */
class RecordJsonTest {

    private static final String HARD = "\"quoted\" \\ \n\t\b\f\r \u0001 é € \ud83d\ude00 , } ] :";

    private static Payload payload(String text) {
        return Payload.of(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void textsComeBackAsTheyWere() {
        assertThat(RecordJson.text(RecordJson.of(HARD))).isEqualTo(HARD);
        assertThat(RecordJson.text(RecordJson.of(""))).isEmpty();
        assertThat(RecordJson.text(payload("no JSON"))).isEqualTo("no JSON");
        assertThat(RecordJson.number(RecordJson.literal(42))).isEqualTo(42);
        assertThat(RecordJson.texts("[\"a\" , \"b,]\"]")).containsExactly("a", "b,]");
        assertThat(RecordJson.texts("[]")).isEmpty();
    }

    @Test
    void membersAreKeptAsTheyWereWritten() {
        Map<String, String> members = RecordJson.members(Json.object().putJson("arguments", "{\"a\":[1.10,\"}\"]}")
                .put("name", HARD).put("number", 7).end());

        assertThat(members).containsEntry("arguments", "{\"a\":[1.10,\"}\"]}").containsEntry("number", "7");
        assertThat(RecordJson.text(members, "name")).isEqualTo(HARD);
        assertThat(RecordJson.text(members, "missing")).isNull();
        assertThat(RecordJson.members("{}")).isEmpty();
        assertThatThrownBy(() -> RecordJson.members("[]")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RecordJson.members("{\"a\":1")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void failuresAreReadWithTheirCauses() {
        Results.Failure failure = new Results.Failure("C", HARD, "t", new Results.Failure("D", "why", "u"));

        assertThat(Results.failure(failure.payload())).isEqualTo(failure);
        assertThat(Results.failure(payload("\"GONE\"")).code()).isEqualTo("GONE");
    }

    /** The bytes of a payload that a codec has encrypted stand in base64 among the members, and come out as they were. */
    @Test
    void argumentsComeBackByteByByte() {
        Payload sealed = Payload.of(new byte[] {1, 0, -1, '"', '}'});
        Payload spaced = payload("{ \"b\" : 1.10, \"a\" : 2 }");

        assertThat(Header.arguments(RecordJson.members(Header.update("update", "w", "n", 1, sealed))))
                .isEqualTo(sealed);
        assertThat(Header.arguments(RecordJson.members(Header.update("update", "w", "n", 1, spaced))))
                .isEqualTo(spaced);
        assertThat(Header.toldOfParentEnd(Header.child("w", Flow.named("f", String.class, String.class,
                (context, input) -> input), sealed, ParentEnd.REQUEST_CANCEL))).isTrue();
    }
}
