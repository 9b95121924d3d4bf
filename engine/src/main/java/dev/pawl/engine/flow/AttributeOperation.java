package dev.pawl.engine.flow;

import dev.pawl.kernel.collation.Advance;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Payload;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sets and removes attributes and memos of the workflow, and takes them along to the one that goes on. */
final class AttributeOperation {

    private static final String ATTRIBUTE = "attribute";
    private static final String MEMO = "memo";

    private final Scope scope;

    AttributeOperation(Scope scope) {
        this.scope = scope;
    }

    void set(Attribute attribute, Object value) {
        set(ATTRIBUTE, attribute, "name", value instanceof Long || value instanceof Boolean
                ? RecordJson.literal(value)
                : RecordJson.of(value.toString()));
    }

    void remove(String name) {
        set(ATTRIBUTE, Attributes.removed(name, false), "removed", Payload.EMPTY);
    }

    void setMemo(String name, @Nullable Object value) {
        Payload json = scope.codec().encode(value, Object.class);
        set(MEMO, Attributes.memo(name, json), "name", json);
    }

    void removeMemo(String name) {
        set(MEMO, Attributes.removed(name, true), "removed", Payload.EMPTY);
    }

    private void set(String kind, Attribute attribute, String member, Payload shown) {
        String id = scope.naming().id(kind);
        Payload header = Header.of(kind, member, attribute.key().name());
        boolean known = scope.reach(id, header) != null;
        scope.incarnation().attributeNames().add(attribute.key(), known);
        if (!known) {
            scope.hold(new Advance.Do(FlowBehaviour.operation(id), header, shown,
                    new Request.SetAttribute(attribute), null));
        }
    }

    /** What goes along to the workflow that goes on: as it is stored, when everything the code has set is. */
    List<Attribute> carried() {
        Incarnation incarnation = scope.incarnation();
        if (!incarnation.attributeNames().any()) {
            return List.of();
        }
        String id = Journal.OWN + "carry";
        if (scope.recorded(id) == null) {
            scope.commit(new Advance.Do(FlowBehaviour.operation(id), Header.of("carry"), Payload.EMPTY,
                    new Request.Pass(false), null));
        }
        return incarnation.lookup().attributes(scope.strand());
    }
}
