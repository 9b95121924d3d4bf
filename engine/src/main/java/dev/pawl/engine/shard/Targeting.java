package dev.pawl.engine.shard;

import dev.pawl.engine.store.Page;
import dev.pawl.engine.store.Store;
import dev.pawl.kernel.collation.Behaviour;
import dev.pawl.kernel.collation.Collation;
import dev.pawl.kernel.collation.Next;
import dev.pawl.kernel.collation.Request;
import dev.pawl.kernel.id.ActivityKey;
import dev.pawl.kernel.id.Recipient;
import dev.pawl.kernel.message.Payload;
import dev.pawl.kernel.message.Response;
import dev.pawl.kernel.workflow.ActivityRecord;
import dev.pawl.kernel.workflow.WorkflowView;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A definition's behaviour, and for a signal to all the workflows that wait on its topic, read when leg one asks for it: one
 * page for each transition, kept for as long as the transition lasts, so that the kernel hears the same twice.
 */
final class Targeting implements Behaviour {

    private final Behaviour definition;
    private final Store store;
    private final String namespace;
    private @Nullable String topic;
    private @Nullable Targets page;

    Targeting(Behaviour definition, Store store, String namespace) {
        this.definition = definition;
        this.store = store;
        this.namespace = namespace;
    }

    @Override
    public Request request(WorkflowView view, ActivityRecord activity, Instant now) {
        Request request = definition.request(view, activity, now);
        if (request instanceof Request.SignalAll all) {
            topic = all.topic();
        }
        return request;
    }

    @Override
    public Targets targets(ActivityRecord activity, @Nullable String cursor) {
        if (page == null) {
            page = topic == null ? new Targets(List.of(), null) : read(topic, cursor);
        }
        return page;
    }

    private Targets read(String onTopic, @Nullable String cursor) {
        Page<Recipient> hooked = store.hooked(namespace, onTopic, cursor, Collation.FAN_OUT_MAX);
        return new Targets(hooked.items(), hooked.next());
    }

    @Override
    public Payload output(WorkflowView view, ActivityRecord activity, Response response) {
        return definition.output(view, activity, response);
    }

    @Override
    public Next next(WorkflowView view, ActivityRecord activity, Response response) {
        return definition.next(view, activity, response);
    }

    @Override
    public @Nullable ActivityKey heeds(String onTopic) {
        return definition.heeds(onTopic);
    }

    @Override
    public Payload result(WorkflowView view) {
        return definition.result(view);
    }
}
