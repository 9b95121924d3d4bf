package dev.pawl.kernel.id;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class InvocationKeyTest {

    private static final WorkflowKey KEY = new WorkflowKey("default", "order-42");

    @Test
    void keyForOutsideNamesTheOperationAndNothingElse() {
        assertThat(InvocationKey.downstream(KEY, "pay")).isEqualTo("pawl:default:order-42:pay");
        assertThat(InvocationKey.compensation(KEY, "pay")).isEqualTo("pawl:default:order-42:pay:compensate");
        assertThat(InvocationKey.attempt(KEY, "pay", 3)).isEqualTo("pawl:default:order-42:pay:3");
    }

    @Test
    void colonsInsideAPartAreEscaped() {
        assertThat(InvocationKey.downstream(new WorkflowKey("a:b", "c"), "map.0:pay"))
                .isEqualTo("pawl:a%3Ab:c:map.0%3Apay");
        assertThat(InvocationKey.downstream(new WorkflowKey("a", "b:c"), "d"))
                .isNotEqualTo(InvocationKey.downstream(new WorkflowKey("a:b", "c"), "d"));
    }

    @Test
    void twoListsOfPartsNeverComeOutTheSame() {
        List<String> hard =
                List.of("", ":", "%", "%3A", "%25", "::", "a:", ":a", "\0", "\ud83d\ude00", "\ud83d\ude00:");
        List<String> keys = hard.stream().flatMap(one -> hard.stream()
                .flatMap(two -> hard.stream().map(three -> InvocationKey.joined(one, two, three)))).toList();

        assertThat(keys).doesNotHaveDuplicates().hasSize(11 * 11 * 11);
    }

    @Test
    void digestOfAKeyIsNoKey() {
        assertThat(InvocationKey.digest("x")).isEqualTo("pawl-sha256:" + Hash.of("x"));
    }

    /** {@code printf 'default\0order-42\0pay\0charge\0{"amount":1}' | sha256sum}. */
    @Test
    void internalKeyIsTheHashOfWhatWasAskedFor() {
        assertThat(InvocationKey.internal(KEY, "pay", "charge", "{\"amount\":1}").hex())
                .isEqualTo("a594326042d9a577d8dd5eccc0ad272aac8e0b147f7bfd3f5561ee57d33a6c36");
        assertThat(InvocationKey.internal(KEY, "pay", "charge", "{\"amount\":2}"))
                .isNotEqualTo(InvocationKey.internal(KEY, "pay", "charge", "{\"amount\":1}"));
    }
}
