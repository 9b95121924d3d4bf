package dev.pawl.engine.store;

import dev.pawl.kernel.message.Attribute;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is asked of one attribute of a workflow: that it is there, or that it has a type and lies in one of some ranges. */
public sealed interface AttributeCondition {

    String name();

    boolean matches(Attribute attribute);

    /** Whether one value alone will do. */
    boolean single();

    /** It is there, whatever its value is. */
    record Exists(String name) implements AttributeCondition {

        @Override
        public boolean matches(Attribute attribute) {
            return true;
        }

        @Override
        public boolean single() {
            return false;
        }
    }

    /** Both ends count. */
    record TextRange(String from, String to) {
    }

    /** Both ends count. */
    record NumberRange(long from, long to) {
    }

    /** Texts, in the order of their bytes in UTF-8. */
    record Texts(String name, List<TextRange> ranges) implements AttributeCondition {

        public Texts {
            ranges = List.copyOf(ranges);
        }

        @Override
        public boolean matches(Attribute attribute) {
            return attribute instanceof Attribute.Text text && ranges.stream().anyMatch(
                    range -> compare(text.value(), range.from()) >= 0 && compare(text.value(), range.to()) <= 0);
        }

        private static int compare(String one, String other) {
            return Arrays.compareUnsigned(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public boolean single() {
            return ranges.size() == 1 && ranges.getFirst().from().equals(ranges.getFirst().to());
        }
    }

    /** What a number stands for. */
    enum NumberType {
        LONG, BOOLEAN, TIME
    }

    /** Numbers, and what is kept as one: truths as 0 and 1, times as milliseconds since 1970. */
    record Numbers(String name, NumberType type, List<NumberRange> ranges) implements AttributeCondition {

        public Numbers {
            ranges = List.copyOf(ranges);
        }

        @Override
        public boolean matches(Attribute attribute) {
            return type == type(attribute) && ranges.stream()
                    .anyMatch(range -> number(attribute) >= range.from() && number(attribute) <= range.to());
        }

        @Override
        public boolean single() {
            return ranges.size() == 1 && ranges.getFirst().from() == ranges.getFirst().to();
        }

        private static @Nullable NumberType type(Attribute attribute) {
            return switch (attribute) {
                case Attribute.Whole whole -> NumberType.LONG;
                case Attribute.Flag flag -> NumberType.BOOLEAN;
                case Attribute.Time time -> NumberType.TIME;
                case Attribute.Text text -> null;
                case Attribute.Memo memo -> null;
                case Attribute.Removed removed -> null;
            };
        }

        private static long number(Attribute attribute) {
            return switch (attribute) {
                case Attribute.Whole whole -> whole.value();
                case Attribute.Flag flag -> flag.value() ? 1 : 0;
                case Attribute.Time time -> time.value().toEpochMilli();
                case Attribute.Text text -> throw new IllegalArgumentException(text.name() + " is a text");
                case Attribute.Memo memo -> throw new IllegalArgumentException(memo.name() + " is a memo");
                case Attribute.Removed removed -> throw new IllegalArgumentException(removed.key() + " is no value");
            };
        }
    }

    /** One of these values, all of one attribute and of one type. */
    static AttributeCondition in(List<? extends Attribute> values) {
        String name = values.getFirst().key().name();
        if (values.getFirst() instanceof Attribute.Text) {
            return new Texts(name, values.stream().map(each -> ((Attribute.Text) each).value())
                    .map(value -> new TextRange(value, value)).toList());
        }
        return new Numbers(name, type(values.getFirst()),
                values.stream().map(Numbers::number).map(value -> new NumberRange(value, value)).toList());
    }

    /** From one value on, up to another, both of one attribute and of one type; null if there is no bound on that side. */
    static AttributeCondition between(@Nullable Attribute from, @Nullable Attribute to) {
        Attribute known = from != null ? from : java.util.Objects.requireNonNull(to, "a range needs a bound");
        String name = known.key().name();
        if (known instanceof Attribute.Text) {
            return new Texts(name, List.of(new TextRange(from instanceof Attribute.Text low ? low.value() : "",
                    to instanceof Attribute.Text high ? high.value() : Attribute.Text.BEYOND)));
        }
        return new Numbers(name, type(known),
                List.of(new NumberRange(from == null ? Long.MIN_VALUE : Numbers.number(from),
                        to == null ? Long.MAX_VALUE : Numbers.number(to))));
    }

    private static NumberType type(Attribute attribute) {
        NumberType type = Numbers.type(attribute);
        if (type == null) {
            throw new IllegalArgumentException("nothing is found by " + attribute);
        }
        return type;
    }
}
