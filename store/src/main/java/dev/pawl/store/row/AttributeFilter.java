package dev.pawl.store.row;

import dev.pawl.engine.store.AttributeCondition;
import dev.pawl.engine.store.AttributeCondition.Numbers;
import dev.pawl.engine.store.AttributeCondition.Texts;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** What is asked of attributes, as parameters of a statement: as JSON, however many conditions there are. */
public final class AttributeFilter {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private AttributeFilter() {
    }

    /**
     * Which statement, by which condition.
     *
     * @param name of the attribute that leads; null if none does
     * @param value the one value it must have, or its ranges as JSON
     * @param type of its value, if that is not a text
     */
    public record Lead(String statement, @Nullable String name, @Nullable Object value, @Nullable String type) {
    }

    private record Range(Object from, Object to) {
    }

    private record Condition(String name, @Nullable String type, List<Range> ranges) {
    }

    public static String json(List<AttributeCondition> conditions) {
        return JSON.writeValueAsString(conditions.stream().map(AttributeFilter::condition).toList());
    }

    private static Condition condition(AttributeCondition condition) {
        return switch (condition) {
            case AttributeCondition.Exists exists -> new Condition(exists.name(), null, List.of());
            case Texts texts -> new Condition(texts.name(), AttributeRow.TEXT, ranges(texts));
            case Numbers numbers -> new Condition(numbers.name(), type(numbers), ranges(numbers));
        };
    }

    private static List<Range> ranges(Texts texts) {
        return texts.ranges().stream().map(range -> new Range(range.from(), range.to())).toList();
    }

    private static List<Range> ranges(Numbers numbers) {
        return numbers.ranges().stream().map(range -> new Range(range.from(), range.to())).toList();
    }

    private static String type(Numbers numbers) {
        return switch (numbers.type()) {
            case LONG -> AttributeRow.LONG;
            case BOOLEAN -> AttributeRow.BOOLEAN;
            case TIME -> AttributeRow.TIME;
        };
    }

    /** One value is better than a range, and a range than nothing: the index of one value is in the order of the list. */
    public static Lead lead(List<AttributeCondition> conditions) {
        Lead range = null;
        for (AttributeCondition condition : conditions) {
            Lead lead = switch (condition) {
                case AttributeCondition.Exists exists -> null;
                case Texts texts -> texts.single()
                        ? new Lead("workflows_by_text", texts.name(), texts.ranges().getFirst().from(), null)
                        : new Lead("workflows_by_texts", texts.name(), JSON.writeValueAsString(ranges(texts)), null);
                case Numbers numbers -> numbers.single()
                        ? new Lead("workflows_by_number", numbers.name(), numbers.ranges().getFirst().from(),
                                type(numbers))
                        : new Lead("workflows_by_numbers", numbers.name(), JSON.writeValueAsString(ranges(numbers)),
                                type(numbers));
            };
            if (lead != null && condition.single()) {
                return lead;
            }
            range = range == null ? lead : range;
        }
        return range == null ? new Lead("workflows_by_attributes", null, null, null) : range;
    }
}
