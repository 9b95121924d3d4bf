package dev.pawl.kernel.id;

/** A workflow to send to: its key, and the group whose shards it lives in, so that it can be found before it exists. */
public record Recipient(String group, WorkflowKey workflow) {

    public Recipient {
        Names.require("group", group);
    }

    @Override
    public String toString() {
        return workflow + " in " + group;
    }
}
