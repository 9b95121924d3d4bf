package dev.pawl;

import dev.pawl.engine.flow.Attributes;
import dev.pawl.engine.flow.Beginnings;
import dev.pawl.engine.flow.UserCodec;
import dev.pawl.kernel.message.Attribute;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a workflow is started with besides its input. Immutable. None of it tells one start from another: a workflow that was started before
 * under the same id, with the same definition and input, stays as it is, but for the time it is to begin at.
 */
public final class StartOptions {

    public static final StartOptions NONE = new StartOptions(List.of(), Map.of(), null);

    private final List<Attribute> attributes;
    private final Map<String, @Nullable Object> memo;
    private final @Nullable Instant at;

    private StartOptions(List<Attribute> attributes, Map<String, @Nullable Object> memo, @Nullable Instant at) {
        this.attributes = attributes;
        this.memo = memo;
        this.at = at;
    }

    /** Something the workflow is found by from the moment it exists. The code can replace or remove it. */
    public StartOptions attribute(String name, String value) {
        return with(Attributes.text(name, value));
    }

    public StartOptions attribute(String name, long value) {
        return with(Attributes.whole(name, value));
    }

    public StartOptions attribute(String name, boolean value) {
        return with(Attributes.flag(name, value));
    }

    public StartOptions attribute(String name, Instant value) {
        return with(Attributes.time(name, value));
    }

    private StartOptions with(Attribute attribute) {
        List<Attribute> all = new ArrayList<>(attributes);
        all.add(attribute);
        return new StartOptions(all, memo, at);
    }

    /** Something the workflow is shown with: anything that can be written as JSON, up to 16 KiB. */
    public StartOptions memo(String name, @Nullable Object value) {
        Map<String, @Nullable Object> all = new LinkedHashMap<>(memo);
        all.put(name, value);
        return new StartOptions(attributes, Collections.unmodifiableMap(all), at);
    }

    /** The code begins at that time. */
    public StartOptions at(Instant time) {
        if (time.isAfter(Beginnings.LATEST)) {
            throw WorkflowError.validation("a workflow starts before " + Beginnings.LATEST + ", not at " + time);
        }
        return new StartOptions(attributes, memo, time);
    }

    @Nullable Instant at() {
        return at;
    }

    List<Attribute> attributes(UserCodec codec) {
        List<Attribute> all = new ArrayList<>(attributes);
        memo.forEach((name, value) -> all.add(Attributes.memo(name, codec.encode(value, Object.class))));
        return Attributes.last(all);
    }
}
