package dev.pawl.kernel.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.kernel.id.Hash;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever was done to a log, the chain says how far it can still be believed. */
class ChainTest {

    private final List<Event> log = log(7);
    private final Hash head = log.getLast().hash();

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 100})
    void logIsIntactHoweverItIsPaged(int pageSize) {
        assertThat(Chain.verify(after -> page(after, pageSize), head, 7)).isEqualTo(new Chain.Intact(7));
    }

    @Test
    void logOfNoEventsIsIntact() {
        assertThat(Chain.verify(after -> List.of(), Hash.NONE, 0)).isEqualTo(new Chain.Intact(0));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void everyBeginningOfALogHoldsByItself(int version) {
        assertThat(Chain.verify(after -> page(after, 4), log.get(version - 1).hash(), version))
                .isEqualTo(new Chain.Intact(version));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 6})
    void eventThatWasTakenOutIsMissed(int index) {
        log.remove(index);

        assertThat(verify()).isEqualTo(new Chain.Missing(index));
    }

    @Test
    void eventsInAnotherOrderAreMissed() {
        log.add(2, log.remove(4));

        assertThat(verify()).isEqualTo(new Chain.Missing(2));
    }

    @Test
    void textThatNoLongerHasItsHashIsAltered() {
        Event event = log.get(3);
        log.set(3, new Event(event.number(), event.json().replace("step 4", "step 5"), event.hash()));

        assertThat(verify()).isEqualTo(new Chain.Altered(3));
    }

    @Test
    void textThatWasReplacedTogetherWithItsHashIsFoundOutByTheNext() {
        log.set(3, Event.of(4, log.get(3).json().replace("step 4", "step 5")));

        assertThat(verify()).isEqualTo(new Chain.Severed(4));
    }

    @Test
    void lastEventReplacedTogetherWithItsHashIsNotTheHead() {
        Event forged = Event.of(7, log.getLast().json().replace("step 7", "step 8"));
        log.set(6, forged);

        assertThat(verify()).isEqualTo(new Chain.OtherHead(7, forged.hash()));
    }

    @Test
    void verdictSaysHowManyEventsHold() {
        log.set(3, Event.of(4, "{}"));

        assertThat(verify().events()).isEqualTo(3);
    }

    private Chain.Verdict verify() {
        return Chain.verify(after -> page(after, 2), head, 7);
    }

    private List<Event> page(long after, int size) {
        return log.stream().filter(event -> event.number() > after).limit(size).toList();
    }

    private static List<Event> log(int events) {
        List<Event> log = new ArrayList<>();
        Hash last = Hash.NONE;
        for (int number = 1; number <= events; number++) {
            Json json = Json.object().put("cause", "step " + number);
            log.add(Event.of(number, (number == 1 ? json : json.put("previous", last.base64())).end()));
            last = log.getLast().hash();
        }
        return log;
    }
}
