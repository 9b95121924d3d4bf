-- What is known of the effects that workflows have had on the outside world: one row for each operation with a key, written in
-- the commits of that operation's own row. Every part of the key is a column of its own, so that no two keys can meet.
-- "format" is the record's version.
create table effect (
    namespace text collate "C" not null,
    workflow_no bigint not null,
    operation_id text collate "C" not null,
    activity_name text collate "C" not null,
    idempotency_key text collate "C" not null,
    status text collate "C" not null,
    result bytea,
    error bytea,
    created_at bigint not null,
    updated_at bigint not null,
    format smallint not null default 1,
    primary key (namespace, workflow_no, operation_id, activity_name, idempotency_key),
    constraint status_is_known check (status in ('completed', 'failed', 'cancelled', 'timed-out', 'indeterminate')),
    constraint only_completed_has_result check (result is null or status = 'completed')
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
