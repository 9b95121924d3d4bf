package dev.pawl.kernel.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.message.Payload;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class EffectTest {

    private static final WorkflowKey WORKFLOW = new WorkflowKey("default", "order-42");
    private static final Effect.Key KEY = new Effect.Key("charge", "pay", "order-42");
    private static final Payload PAYLOAD = Payload.of(new byte[] {1});
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00.123456Z");

    @ParameterizedTest
    @EnumSource
    void statusIsReadAsItIsWritten(EffectStatus status) {
        assertThat(EffectStatus.of(status.text())).isEqualTo(status);
        assertThat(EffectStatus.TIMED_OUT.text()).isEqualTo("timed-out");
    }

    @Test
    void onlyWhatHasHappenedHasAResult() {
        Effect declared = Effect.declared(KEY);
        assertThat(declared).isEqualTo(new Effect(KEY, EffectStatus.INDETERMINATE, null, null));
        assertThat(declared.completed(PAYLOAD)).isEqualTo(new Effect(KEY, EffectStatus.COMPLETED, PAYLOAD, null));
        assertThat(declared.after(EffectStatus.FAILED, PAYLOAD))
                .isEqualTo(new Effect(KEY, EffectStatus.FAILED, null, PAYLOAD));
        assertThatThrownBy(() -> new Effect(KEY, EffectStatus.TIMED_OUT, PAYLOAD, null))
                .hasMessageContaining("timed-out has no result");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\ud83d", "\ude00x"})
    void keyThatCouldNotBeToldFromAnotherIsRefused(String key) {
        assertThatThrownBy(() -> new Effect.Key("charge", "pay", key)).hasMessageContaining("an idempotency key");
    }

    @Test
    void keyIsNoLongerThanEveryIndexTakes() {
        assertThat(Effect.Key.valid("\u00e9".repeat(256))).isTrue();
        assertThat(Effect.Key.valid("\u00e9".repeat(256) + "x")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "a%b", "a\0b", "\ud83d\ude00"})
    void namesAreRestricted(String name) {
        assertThatThrownBy(() -> new Effect.Key(name, "pay", "k")).hasMessageContaining("an activity's name");
        assertThatThrownBy(() -> new Effect.Key("charge", name, "k")).hasMessageContaining("an operation's id");
        assertThatThrownBy(() -> new WorkflowKey(name, "w")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new WorkflowKey("n", name)).isInstanceOf(IllegalArgumentException.class);
    }

    /** Wherever a colon stands, and whatever the key consists of. */
    @Test
    void noTwoEffectsHaveTheSameText() {
        List<String> names = List.of("a", "a:", ":a", "a:a", "a:a:a");
        List<String> keys = List.of("a", ":", "%", "a%3Aa", "a:a", "\0", "a\0a", "\ud83d\ude00", ":\ud83d\ude00", "A");
        Set<String> texts = new HashSet<>();
        int effects = 0;
        for (String namespace : names) {
            for (String id : names) {
                for (String activity : names) {
                    for (String operation : names) {
                        for (String key : keys) {
                            texts.add(new Effect.Key(activity, operation, key).text(new WorkflowKey(namespace, id)));
                            effects++;
                        }
                    }
                }
            }
        }
        assertThat(texts).hasSize(effects);
        assertThat(KEY.text(WORKFLOW)).isEqualTo("effect:default:order-42:charge:pay:order-42");
    }

    @Test
    void effectsAreInTheOrderOfTheirOperations() {
        assertThat(List.of(new Effect.Key("b", "a", "z"), new Effect.Key("a", "b", "a"), new Effect.Key("b", "b", "a"),
                new Effect.Key("b", "b", "b"))).isSorted();
    }

    @Test
    void whenItWasDeclaredNeverChanges() {
        EffectRecord first = EffectRecord.of(WORKFLOW, Effect.declared(KEY), NOW);
        EffectRecord second = EffectRecord.of(WORKFLOW, Effect.declared(KEY).completed(PAYLOAD), NOW.plusSeconds(1));

        EffectRecord stored = second.over(first);

        assertThat(first.createdAt()).isEqualTo(Instant.parse("2030-01-01T00:00:00.123Z"));
        assertThat(stored.createdAt()).isEqualTo(first.createdAt());
        assertThat(stored.updatedAt()).isEqualTo(second.updatedAt());
        assertThat(stored.effect()).isEqualTo(second.effect());
        assertThat(stored.version()).isEqualTo(1);
    }
}
