package dev.pawl.store.row;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.DimensionalAddress;
import dev.pawl.kernel.id.Guid;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.id.WorkflowKey;
import dev.pawl.kernel.lifecycle.WorkflowEvent;
import dev.pawl.kernel.message.Attribute;
import dev.pawl.kernel.message.Ending;
import dev.pawl.kernel.message.Message;
import dev.pawl.kernel.message.Message.Beginning;
import dev.pawl.kernel.message.Origin;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Sender;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a start, a signal or an interrupt says beyond the columns it shares with all messages, as JSON. A reader ignores what it does not
 * know: a newer writer may add to it.
 */
final class Details {

    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private Details() {
    }

    private record BeginningJson(String group, String definition, String definitionVersion, String trigger,
            long threshold, @Nullable OriginJson origin,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<AttributeJson> attributes) {
    }

    private record OriginJson(String group, String namespace, String workflowId, String activity, String address,
            UUID answer, boolean awaitsResult) {
    }

    private record SenderJson(String group, String namespace, String workflowId, String activity, String address,
            UUID receipt) {
    }

    private record EndingJson(String event, String reason, int code, boolean descend,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<AttributeJson> attributes) {
    }

    private record AttributeJson(String name, String type, @Nullable String text, @Nullable Long number,
            @Nullable String memo) {
    }

    /** Nothing is written of what is not there. */
    private static @Nullable List<AttributeJson> json(List<Attribute> attributes) {
        return attributes.isEmpty() ? null : attributes.stream().map(AttributeRow::of).map(row -> new AttributeJson(
                row.name(), row.type(), row.text(), row.number(),
                row.memo() == null ? null : Base64.getEncoder().encodeToString(row.memo().bytes())))
                .toList();
    }

    private static List<Attribute> attributes(@Nullable List<AttributeJson> read) {
        return read == null ? List.of() : read.stream().map(each -> new AttributeRow(each.name(), each.type(),
                each.text(), each.number(),
                each.memo() == null ? null : Payload.of(Base64.getDecoder().decode(each.memo()))).attribute()).toList();
    }

    static String of(Message.Start start) {
        Beginning beginning = start.beginning();
        Origin origin = beginning.origin();
        return JSON.writeValueAsString(new BeginningJson(beginning.group(), beginning.definition(),
                beginning.definitionVersion(), beginning.trigger(), beginning.threshold(),
                origin == null ? null
                        : new OriginJson(origin.parent().group(), origin.parent().workflow().namespace(),
                                origin.parent().workflow().workflowId(), origin.activity().activity(),
                                origin.activity().address().drawing(), origin.answer().value(),
                                origin.awaitsResult()),
                json(start.attributes())));
    }

    static Message.Start start(WorkflowKey workflow, String json, Payload input) {
        BeginningJson read = JSON.readValue(json, BeginningJson.class);
        OriginJson origin = read.origin();
        return new Message.Start(
                workflow, new Beginning(read.group(), read.definition(), read.definitionVersion(), read.trigger(),
                        read.threshold(), input, origin == null ? null
                                : new Origin(
                                        new Recipient(origin.group(),
                                                new WorkflowKey(origin.namespace(), origin.workflowId())),
                                        new ActivityKey(origin.activity(), new DimensionalAddress(origin.address())),
                                        new Guid(origin.answer()), origin.awaitsResult())),
                attributes(read.attributes()));
    }

    static String of(Sender sender) {
        WorkflowKey workflow = sender.workflow().workflow();
        return JSON.writeValueAsString(new SenderJson(sender.workflow().group(), workflow.namespace(),
                workflow.workflowId(), sender.activity().activity(), sender.activity().address().drawing(),
                sender.receipt().value()));
    }

    static Sender sender(String json) {
        SenderJson read = JSON.readValue(json, SenderJson.class);
        return new Sender(new Recipient(read.group(), new WorkflowKey(read.namespace(), read.workflowId())),
                new ActivityKey(read.activity(), new DimensionalAddress(read.address())), new Guid(read.receipt()));
    }

    static String of(Ending ending) {
        return JSON.writeValueAsString(
                new EndingJson(ending.event().name(), FreeText.column(ending.reason()), ending.code(),
                        ending.descend(), json(ending.attributes())));
    }

    static Ending ending(String json, Payload error) {
        EndingJson read = JSON.readValue(json, EndingJson.class);
        return new Ending(WorkflowEvent.valueOf(read.event()), FreeText.text(read.reason()), read.code(),
                read.descend(), error, attributes(read.attributes()));
    }
}
