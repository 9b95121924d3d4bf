package dev.pawl.kernel.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class GuidTest {

    private static final WorkflowKey ORDER = new WorkflowKey("shop", "order-1");
    private static final WorkflowKey OTHER = new WorkflowKey("shop", "order-2");
    private static final ActivityKey PACK = new ActivityKey("pack", new DimensionalAddress(",0,0"));
    private static final ActivityKey SHIP = new ActivityKey("ship", new DimensionalAddress(",0,0"));
    private static final Guid START = Guid.ofStart(ORDER);

    /** Computed outside of Java. A ledger is found by its GUID, so what has been released can never change. */
    static Stream<Arguments> goldenValues() {
        return Stream.of(
                Arguments.of("fd822f78cae3835f8718f56f9ebb62ba", Guid.ofStart(ORDER)),
                Arguments.of("429d18282e108c83946fc11537cbf5f1", Guid.ofRequest(ORDER, "paid", "evt-7")),
                Arguments.of("f7568267d45186f18e141455c63585bb", Guid.ofJoin(ORDER, PACK)),
                Arguments.of("42140952ca2b8d70b943c7740ffc6ce8", Guid.ofTimer(ORDER, PACK, 1_767_225_600_000L)),
                Arguments.of("3765e17b5c8c8a22902ab49877f21d07", Guid.ofAnswer(ORDER, PACK, 1, 0)),
                Arguments.of("bbb380981c668329b4504a8e2965ec9e", START.toChild(PACK)),
                Arguments.of("d436ed013d1c8589b633cca425183ce8", START.signalTo(OTHER)),
                Arguments.of("e3ee947cf71883ba9f0ffa21c77c918f", START.interruptOf(OTHER)));
    }

    @ParameterizedTest
    @MethodSource("goldenValues")
    void theReleasedFormatIsFrozen(String hex, Guid guid) {
        assertThat(guid).hasToString(hex);
    }

    @ParameterizedTest
    @MethodSource("goldenValues")
    void aGuidIsAVersionEightUuid(String hex, Guid guid) {
        assertThat(guid.value().version()).as(hex).isEqualTo(8);
        assertThat(guid.value().variant()).as(hex).isEqualTo(2);
    }

    @Test
    void theSameSourceGivesTheSameGuid() {
        assertThat(Guid.ofAnswer(new WorkflowKey("shop", "order-1"), PACK, 3, 0))
                .isEqualTo(Guid.ofAnswer(ORDER, PACK, 3, 0));
    }

    @Test
    void everySourceHasAGuidOfItsOwn() {
        List<Guid> guids = List.of(
                Guid.ofStart(ORDER), Guid.ofStart(OTHER), Guid.ofStart(new WorkflowKey("other", "order-1")),
                Guid.ofRequest(ORDER, "paid", "1"), Guid.ofRequest(ORDER, "paid", "2"),
                Guid.ofRequest(ORDER, "sent", "1"), Guid.ofRequest(OTHER, "paid", "1"),
                Guid.ofJoin(ORDER, PACK), Guid.ofJoin(ORDER, SHIP), Guid.ofJoin(ORDER, PACK.inDimension(1)),
                Guid.ofTimer(ORDER, PACK, 1), Guid.ofTimer(ORDER, PACK, 2), Guid.ofTimer(ORDER, SHIP, 1),
                Guid.ofAnswer(ORDER, PACK, 1, 0), Guid.ofAnswer(ORDER, PACK, 2, 0), Guid.ofAnswer(OTHER, PACK, 1, 0),
                Guid.ofAnswer(ORDER, PACK, 1, 1),
                START.toChild(PACK), START.toChild(SHIP), Guid.ofStart(OTHER).toChild(PACK),
                START.signalTo(ORDER), START.signalTo(OTHER), START.toChild(PACK).signalTo(OTHER),
                START.interruptOf(ORDER), START.interruptOf(OTHER));

        assertThat(guids).doesNotHaveDuplicates();
    }

    @Test
    void whereOnePartEndsMatters() {
        List<Guid> guids = List.of(
                Guid.derive("x", "ab", "c"), Guid.derive("x", "a", "bc"), Guid.derive("x", "abc"),
                Guid.derive("x", "abc", ""), Guid.derive("x", "", "abc"), Guid.derive("xa", "bc"), Guid.derive("x"));

        assertThat(guids).doesNotHaveDuplicates();
    }

    @Test
    void beyondAsciiDifferentPartsDifferToo() {
        assertThat(Guid.derive("x", "ä")).isNotEqualTo(Guid.derive("x", "a"));
        assertThat(Guid.derive("x", "ä")).isNotEqualTo(Guid.derive("x", "ö"));
    }

    /** JSON can carry it, UTF-8 cannot: all such request ids would be taken for the one that is a question mark. */
    @Test
    void halfOfASurrogatePairIsRefused() {
        assertThatThrownBy(() -> Guid.ofRequest(ORDER, "paid", "\ud800")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theDrawingHasAllThirtyTwoDigits() {
        assertThat(new Guid(new UUID(0x1L, 0xabL))).hasToString("0000000000000001" + "00000000000000ab");
    }

    /** Databases order the hex digits; {@link UUID} itself compares signed numbers. */
    @Test
    void guidsAreOrderedLikeTheirDrawings() {
        Guid first = new Guid(new UUID(0x7fff_ffff_ffff_ffffL, -1L));
        Guid second = new Guid(new UUID(0x8000_0000_0000_0000L, 1L));
        Guid third = new Guid(new UUID(0x8000_0000_0000_0000L, -1L));

        assertThat(Stream.of(third, second, first).sorted()).containsExactly(first, second, third);
        assertThat(first).isEqualByComparingTo(new Guid(first.value()));
    }

    @Test
    void aJavaWithoutTheDigestSaysSo() {
        assertThatThrownBy(() -> Guid.digest("no-such")).isInstanceOf(IllegalStateException.class)
                .hasMessage("this Java has no no-such")
                .hasCauseInstanceOf(NoSuchAlgorithmException.class);
    }

    @Test
    void charactersBeyondTheFirstPlaneAreToldApart() {
        assertThat(Guid.derive("request", "\uD83D\uDE00")).isNotEqualTo(Guid.derive("request", "\uD83D\uDE01"))
                .isNotEqualTo(Guid.derive("request", "?"));
    }
}
