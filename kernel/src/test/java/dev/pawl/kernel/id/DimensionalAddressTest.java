package dev.pawl.kernel.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DimensionalAddressTest {

    /** The table of collation.md section 21, line by line. */
    @Test
    void section21Examples() {
        DimensionalAddress trigger = DimensionalAddress.ROOT;
        DimensionalAddress firstChild = trigger.child();
        DimensionalAddress secondLevelChild = firstChild.child();
        DimensionalAddress reentered = firstChild.inDimension(1);
        DimensionalAddress childOfReentered = reentered.child();

        assertThat(trigger).hasToString(",0");
        assertThat(firstChild).hasToString(",0,0");
        assertThat(secondLevelChild).hasToString(",0,0,0");
        assertThat(reentered).hasToString(",0,1");
        assertThat(childOfReentered).hasToString(",0,1,0");
    }

    @ParameterizedTest(name = "a cycle at {0} returns to depth {1} at {2}")
    @CsvSource(delimiter = ' ', value = {
        ",0,0,1,0 1 ,0",
        ",0,0,1,0 2 ,0,0",
        ",0,0,1,0 3 ,0,0,0",
        ",0,0,1,0 4 ,0,0,1,0",
        ",0,1,0,2 2 ,0,0",
        ",0,1,0,2 3 ,0,1,0",
        ",0,1,0,2 4 ,0,1,0,0",
        ",0,12,345,6 3 ,0,12,0",
        ",7 1 ,0",
    })
    void aCycleReturnsToTheBaseOfItsAncestorInTheSameOuterPlanes(String from, int depth, String ancestor) {
        assertThat(at(from).ancestor(depth)).isEqualTo(at(ancestor));
    }

    @Test
    void eachRoundOfACycleOpensAFreshPlane() {
        DimensionalAddress hook = at(",0,0");
        DimensionalAddress inFirstRound = hook.inDimension(1).child().child();
        DimensionalAddress secondRound = inFirstRound.ancestor(2).inDimension(2);

        assertThat(inFirstRound).hasToString(",0,1,0,0");
        assertThat(secondRound).hasToString(",0,2");
        assertThat(secondRound.child()).hasToString(",0,2,0");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 4})
    void thereIsNoAncestorAboveTheRootOrBelowItself(int depth) {
        assertThatThrownBy(() -> at(",0,1,0").ancestor(depth)).isInstanceOf(IllegalArgumentException.class)
                .hasMessage(",0,1,0 has no ancestor at depth " + depth);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ' ', value = {",0 1 0", ",3 1 3", ",0,1 2 1", ",0,1,0 3 0", ",0,0,12345678 3 12345678"})
    void depthCountsLevelsAndDimensionIsTheLastIndex(String address, int depth, int dimension) {
        assertThat(at(address).depth()).isEqualTo(depth);
        assertThat(at(address).dimension()).isEqualTo(dimension);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ' ', value = {",0 1 ,0", ",0 3 ,0,0,0", ",0,2 4 ,0,2,0,0", ",0,1,0 3 ,0,1,0"})
    void pathsOfUnequalLengthDescendToTheSameDepth(String from, int depth, String to) {
        assertThat(at(from).descendTo(depth)).isEqualTo(at(to));
    }

    @Test
    void descendingNeverGoesUp() {
        assertThatThrownBy(() -> at(",0,1,0").descendTo(2)).isInstanceOf(IllegalArgumentException.class)
                .hasMessage(",0,1,0 is already deeper than 2");
    }

    @Test
    void theLastPlaneOfALegTwoCounterHasAnAddress() {
        assertThat(at(",0,0").inDimension(99_999_998)).hasToString(",0,99999998");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 100_000_000})
    void aPlaneNoCounterReachesIsRefused(int index) {
        assertThatThrownBy(() -> at(",0,0").inDimension(index)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",", "0", "0,0", ",0,", ",,0", ",00", ",01", ",-1", ",+1", ",a", ", 0", ",0\n",
        ",100000000", ",٠"})
    void anythingElseIsNoAddress(String drawing) {
        assertThatThrownBy(() -> at(drawing)).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("an address is drawn like ,0,1,0, not '" + drawing + "'");
    }

    /** A long action list is a long path. */
    @Test
    void fiveThousandLevelsAreAnAddressToo() {
        assertThat(DimensionalAddress.ROOT.descendTo(5_000).depth()).isEqualTo(5_000);
    }

    @Test
    void addressesAreOrderedLevelByLevelAsNumbers() {
        List<DimensionalAddress> inOrder = Stream.of(",0", ",0,0", ",0,0,5", ",0,1", ",0,2", ",0,2,0", ",0,10", ",1")
                .map(DimensionalAddressTest::at)
                .toList();

        assertThat(inOrder.reversed().stream().sorted()).containsExactlyElementsOf(inOrder);
    }

    private static DimensionalAddress at(String drawing) {
        return new DimensionalAddress(drawing);
    }
}
