package dev.pawl;

import dev.pawl.engine.Definition;
import dev.pawl.engine.flow.Attributes;
import dev.pawl.engine.store.AttributeCondition;
import dev.pawl.engine.store.Page;
import dev.pawl.engine.store.Store;
import dev.pawl.engine.store.WorkflowQuery;
import dev.pawl.kernel.lifecycle.WorkflowStatus;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.workflow.WorkflowRecord;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which workflows to look for: everything that is asked must hold. Immutable. A value is found only as what it was set as: the text
 * {@code "1"} is not the number 1. Both ends of a range count.
 */
public final class Search {

    private static final int CONDITIONS_MAX = 16;
    private static final int VALUES_MAX = 100;

    /** As many as are shown if nobody says how many. */
    static final int PAGE = 50;
    private static final int PAGE_MAX = 500;
    private static final Pattern CURSOR = Pattern.compile("-?\\d{1,18} [A-Za-z0-9._~:+@-]{1,200}");

    private final UnaryOperator<WorkflowQuery> query;
    private final int conditions;

    private Search(UnaryOperator<WorkflowQuery> query, int conditions) {
        this.query = query;
        this.conditions = conditions;
    }

    public static Search all() {
        return new Search(all -> all, 0);
    }

    private Search and(UnaryOperator<WorkflowQuery> more) {
        return new Search(all -> more.apply(query.apply(all)), conditions);
    }

    public Search status(WorkflowStatus status) {
        return and(all -> all.inStatus(status));
    }

    /** Of any version. */
    public Search definition(Definition definition) {
        return and(all -> all.ofDefinition(definition.name()));
    }

    public Search idPrefix(String prefix) {
        return and(all -> all.withIdPrefix(prefix));
    }

    /** From the first time on, up to but not including the second; null if there is no bound on that side. */
    public Search createdBetween(@Nullable Instant from, @Nullable Instant before) {
        return and(all -> all.createdBetween(from, before));
    }

    /** The attribute is set, whatever its value is. */
    public Search exists(String name) {
        return where(new AttributeCondition.Exists(Attributes.name(name)));
    }

    public Search is(String name, String value) {
        return in(List.of(Attributes.text(name, value)));
    }

    public Search is(String name, long value) {
        return in(List.of(Attributes.whole(name, value)));
    }

    public Search is(String name, boolean value) {
        return in(List.of(Attributes.flag(name, value)));
    }

    public Search is(String name, Instant value) {
        return in(List.of(Attributes.time(name, value)));
    }

    /** It is one of these. */
    public Search in(String name, String... values) {
        return in(Arrays.stream(values).map(value -> Attributes.text(name, value)).toList());
    }

    public Search in(String name, long... values) {
        return in(Arrays.stream(values).mapToObj(value -> Attributes.whole(name, value)).toList());
    }

    private Search in(List<Attribute> values) {
        if (values.isEmpty() || values.size() > VALUES_MAX) {
            throw WorkflowError.validation("an attribute is compared with 1 to " + VALUES_MAX + " values, not with "
                    + values.size());
        }
        return where(AttributeCondition.in(values));
    }

    /** Texts are compared byte by byte in UTF-8. */
    public Search between(String name, String from, String to) {
        return where(AttributeCondition.between(Attributes.text(name, from), Attributes.text(name, to)));
    }

    public Search between(String name, long from, long to) {
        return where(AttributeCondition.between(Attributes.whole(name, from), Attributes.whole(name, to)));
    }

    public Search between(String name, Instant from, Instant to) {
        return where(AttributeCondition.between(Attributes.time(name, from), Attributes.time(name, to)));
    }

    public Search atLeast(String name, String from) {
        return where(AttributeCondition.between(Attributes.text(name, from), null));
    }

    public Search atLeast(String name, long from) {
        return where(AttributeCondition.between(Attributes.whole(name, from), null));
    }

    public Search atLeast(String name, Instant from) {
        return where(AttributeCondition.between(Attributes.time(name, from), null));
    }

    public Search atMost(String name, String to) {
        return where(AttributeCondition.between(null, Attributes.text(name, to)));
    }

    public Search atMost(String name, long to) {
        return where(AttributeCondition.between(null, Attributes.whole(name, to)));
    }

    public Search atMost(String name, Instant to) {
        return where(AttributeCondition.between(null, Attributes.time(name, to)));
    }

    private Search where(AttributeCondition condition) {
        if (conditions == CONDITIONS_MAX) {
            throw WorkflowError.validation("at most " + CONDITIONS_MAX + " things are asked of attributes at once");
        }
        return new Search(all -> query.apply(all).where(condition), conditions + 1);
    }

    /** A page of what is found, after the cursor of the page before. */
    Page<WorkflowSummary> page(Store store, String namespace, @Nullable String cursor, int limit) {
        if (limit < 1 || limit > PAGE_MAX) {
            throw WorkflowError.validation("a page has 1 to " + PAGE_MAX + " workflows, not " + limit);
        }
        if (cursor != null && !CURSOR.matcher(cursor).matches()) {
            throw WorkflowError.validation("this is not the cursor of a page; take it from the page before");
        }
        Page<WorkflowRecord> found = store.workflows(query(namespace), cursor, limit);
        return new Page<>(found.items().stream().map(WorkflowSummary::of).toList(), found.next());
    }

    WorkflowQuery query(String namespace) {
        return query.apply(WorkflowQuery.all(namespace));
    }
}
