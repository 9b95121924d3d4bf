package dev.pawl.store.row;

import dev.pawl.kernel.bundle.Write;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Payload;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An attribute or memo as columns. Text is kept as it is: what a column cannot hold was refused.
 *
 * @param type what it is, and which of the columns holds its value
 */
public record AttributeRow(String name, String type, @Nullable String text, @Nullable Long number,
        @Nullable Payload memo) {

    static final String TEXT = "TEXT";
    static final String LONG = "LONG";
    static final String BOOLEAN = "BOOLEAN";
    static final String TIME = "TIME";
    static final String MEMO = "MEMO";

    public static AttributeRow of(Attribute attribute) {
        String name = attribute.key().name();
        return switch (attribute) {
            case Attribute.Text text -> new AttributeRow(name, TEXT, text.value(), null, null);
            case Attribute.Whole whole -> new AttributeRow(name, LONG, null, whole.value(), null);
            case Attribute.Flag flag -> new AttributeRow(name, BOOLEAN, null, flag.value() ? 1L : 0L, null);
            case Attribute.Time time -> new AttributeRow(name, TIME, null, time.value().toEpochMilli(), null);
            case Attribute.Memo memo -> new AttributeRow(name, MEMO, null, null, memo.value());
            case Attribute.Removed removed -> throw new IllegalArgumentException(name + " has no row any more");
        };
    }

    /** The columns in their order, after those that say whose it is. */
    public static @Nullable Object[] columns(Write.PutAttribute put, @Nullable Object... place) {
        AttributeRow row = of(put.attribute());
        @Nullable Object[] own = {row.name, row.type, row.text, row.number, row.memo, put.createdAt().toEpochMilli()};
        @Nullable Object[] all = new @Nullable Object[place.length + own.length];
        System.arraycopy(place, 0, all, 0, place.length);
        System.arraycopy(own, 0, all, place.length, own.length);
        return all;
    }

    public Attribute attribute() {
        return switch (type) {
            case TEXT -> new Attribute.Text(name, Objects.requireNonNull(text));
            case LONG -> new Attribute.Whole(name, Objects.requireNonNull(number));
            case BOOLEAN -> new Attribute.Flag(name, Objects.requireNonNull(number) != 0);
            case TIME -> new Attribute.Time(name, Instant.ofEpochMilli(Objects.requireNonNull(number)));
            case MEMO -> new Attribute.Memo(name, memo == null ? Payload.EMPTY : memo);
            default ->
                throw new IllegalStateException("a newer engine wrote an attribute this one does not know: " + type);
        };
    }
}
