package dev.pawl.kernel.collation;

import static dev.pawl.kernel.collation.Workbench.KEY;
import static dev.pawl.kernel.collation.Workbench.at;
import static dev.pawl.kernel.collation.Workbench.other;
import static dev.pawl.kernel.collation.Workbench.signal;
import static dev.pawl.kernel.collation.Workbench.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.kernel.bundle.Bundle;
import dev.pawl.kernel.bundle.Seal;
import dev.pawl.kernel.event.Chain;
import dev.pawl.kernel.event.Event;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.Hash;
import dev.pawl.kernel.message.Delivery;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The log of a whole workflow: unbroken however its steps are committed, and broken by whoever touches it. */
class EvidenceTest {

    private static final String SECRET = "secret";

    private final Workbench bench = new Workbench();
    private final List<Event> log = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everyVersionHasItsEventAndEachFollowsTheOneBefore(boolean apart) {
        play(apart);

        WorkflowRecord end = bench.state.started();
        assertThat(log).hasSize((int) end.version()).hasSizeGreaterThan(apart ? 30 : 10);
        assertThat(verify(log)).isEqualTo(new Chain.Intact(end.version()));
    }

    @Test
    void stepsApartTellOfTheSameDigitsAsTheWhole() {
        bench.activity("pay", Workbench.task()).start("pay");
        Bundle whole = Collation.transition(bench.state, bench.queue.getFirst(), bench, bench.now).bundle();

        List<Event> events = whole.apart().stream().map(Bundle::seal).map(Seal::event).toList();

        assertThat(events).extracting(Event::number).containsExactly(2L, 3L);
        assertThat(events.getFirst().json()).contains("\"ledger\":1100000000000");
        assertThat(events.getLast().json()).doesNotContain("ledger");
    }

    /** Nobody can change a byte: not silently, and not by giving the changed text the hash it has now. */
    @Test
    void everyByteOfEveryEventIsCovered() {
        play(false);
        for (int i = 0; i < log.size(); i++) {
            Event event = log.get(i);
            for (int at = 0; at < event.json().length(); at++) {
                String tampered = event.json().substring(0, at) + (char) (event.json().charAt(at) ^ 1)
                        + event.json().substring(at + 1);

                assertThat(Hash.of(tampered)).isNotEqualTo(event.hash());
                assertThat(verify(with(i, new Event(event.number(), tampered, event.hash()))))
                        .isEqualTo(new Chain.Altered(i));
                assertThat(verify(with(i, Event.of(event.number(), tampered)))).isNotInstanceOf(Chain.Intact.class);
            }
        }
    }

    @Test
    void noBytesOfTheUsersAreInTheLog() {
        play(true);
        String text = String.join("\n", log.stream().map(Event::json).toList());

        assertThat(text).doesNotContain(SECRET)
                .doesNotContain(HexFormat.of().formatHex(SECRET.getBytes(StandardCharsets.UTF_8)))
                .doesNotContain(Base64.getEncoder().encodeToString(SECRET.getBytes(StandardCharsets.UTF_8)))
                .contains(secret("answer").digest().base64()).contains(secret("signal").digest().base64())
                .contains(secret("task").digest().base64()).contains(secret("error").digest().base64());
    }

    @Test
    void whateverATopicIsTheLogStaysUnbroken() {
        for (String topic : List.of("\"", "\\", "\",\"previous\":\"", "\0", "\u001f\n", "\ud83d\ude00",
                "\ud83d",
                "\ude00x", "\u2028")) {
            Workbench own = new Workbench().activity("hook", new Request.WebHook(topic));
            Hash before = seal(own.start("hook").bundle()).event().hash();
            Event waits = seal(own.runNext().bundle()).event();
            Event kept = seal(own.run(new Message.Signal(KEY, Guid.derive("test", "s"), "not " + topic,
                    Workbench.DONE)).bundle()).event();

            assertThat(waits.follows(before)).isTrue();
            assertThat(kept.follows(waits.hash())).isTrue();
            assertThat(kept.json().chars()).allMatch(c -> c >= ' ');
            assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(kept.json())).isTrue();
        }
    }

    /** Everything that can hold a payload: input, task, child, signal, answer, round, error. */
    private void play(boolean apart) {
        bench.activity("trigger", new Request.Pass(false), "pay")
                .activity("pay", new Request.Task("tills", secret("task"), bench.now.plusSeconds(300)), "pass")
                .activity("pass", new Request.Pass(true), response -> response.payload().equals(secret("round"))
                        ? bench.spawn("child")
                        : bench.spawn("cycle", "hook"))
                .activity("cycle", new Request.Cycle("pass", 3, secret("round")))
                .activity("hook", new Request.WebHook("topic"), "tell")
                .activity("tell", new Request.SignalOne(other("friend"), "topic", secret("told")))
                .activity("child", new Request.StartChild(other("child"), "d", "1", "t", secret("for a child"), true));
        commit(Workbench.startMessage(0, null), apart);
        drain(apart);
        commit(signal("topic", "s", new Response.Final(secret("signal"))), apart);
        commit(bench.answer(at("pay", ",0,0"), 1, new Response.Final(secret("answer"))), apart);
        drain(apart);
        commit(new Message.Interrupt(KEY, Guid.derive("test", "end"), Ending.failed("why", secret("error"))), apart);
    }

    private void drain(boolean apart) {
        while (!bench.queue.isEmpty()) {
            commit(bench.queue.remove(), apart);
        }
    }

    private void commit(Message message, boolean apart) {
        commit(Delivery.ofRow(message), apart);
    }

    private void commit(Delivery delivery, boolean apart) {
        Bundle whole = Collation.transition(bench.state, delivery, bench, bench.now).bundle();
        for (Bundle bundle : apart ? whole.apart() : List.of(whole)) {
            bench.commit(bundle);
            log.add(seal(bundle).event());
        }
    }

    private Chain.Verdict verify(List<Event> events) {
        return Chain.verify(after -> events.subList((int) after, events.size()), log.getLast().hash(), log.size());
    }

    private List<Event> with(int index, Event event) {
        List<Event> events = new ArrayList<>(log);
        events.set(index, event);
        return events;
    }

    private static Seal seal(Bundle bundle) {
        Seal seal = bundle.seal();
        assertThat(seal).isNotNull();
        return seal;
    }

    private static Payload secret(String of) {
        return text(SECRET + " " + of);
    }
}
