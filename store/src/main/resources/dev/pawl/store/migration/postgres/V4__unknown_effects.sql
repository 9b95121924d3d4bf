-- What may have happened or not, for whoever has to find out: closed workflows are looked for along it, and whatever is under way is in it
-- only as long as that lasts.
create index effect_unknown on effect (namespace, workflow_no, operation_id, activity_name, idempotency_key)
    where status = 'indeterminate';
