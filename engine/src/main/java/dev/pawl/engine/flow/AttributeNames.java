package dev.pawl.engine.flow;

import dev.pawl.engine.ValidationFailed;
import dev.pawl.kernel.message.Attribute;
import java.util.HashSet;
import java.util.Set;

/** The names of attributes and memos that a workflow has used, as far as one run of its code has come. */
final class AttributeNames {

    private final Guard guard;
    // Under the lock.
    private final Journal journal;
    private final Set<Attribute.Key> names = new HashSet<>();

    AttributeNames(Guard guard, Journal journal) {
        this.guard = guard;
        this.journal = journal;
    }

    /** Those that the workflow was born with. */
    void born(Set<Attribute.Key> with) {
        guard.run(() -> names.addAll(with));
    }

    /** A name the code has come to; one more than there may be is refused, unless it was taken before. */
    void add(Attribute.Key key, boolean known) {
        guard.run(() -> {
            if (names.add(key) && !known) {
                try {
                    Attributes.checkCount(names);
                } catch (ValidationFailed e) {
                    names.remove(key);
                    throw e;
                }
            }
        });
    }

    /** Whether there may be attributes in the store: what a branch has set that lost is known to the journal alone. */
    boolean any() {
        return guard.locked(() -> !names.isEmpty() || journal.withPrefix("").stream()
                .anyMatch(each -> Header.setsAttribute(each.input())));
    }
}
