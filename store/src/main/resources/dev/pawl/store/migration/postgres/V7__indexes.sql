-- Less room for the same rows.

-- Upwards, although it is read downwards: what is added at the end of an index fills its pages, what is added at its beginning
-- leaves each half empty. Workflows of one instant are put in order when they are read; in the index they share an entry.
-- A shard's number is its own in the whole database, so the namespace need not stand beside it.
drop index workflow_newest;
drop index workflow_id_unique;
drop index activity_due;
drop index activity_hook;
drop index activity_awake;
drop index activity_signal;

-- What has a fixed size comes first, the longest before the others: nothing is lost between two columns.
-- Half of each page is left for the next versions, because the workflows of a page were started together and go on together:
-- each of them needs room for its next version before anything of the last one can be cleared.
alter table workflow rename to workflow_before;
alter table workflow_before rename constraint workflow_pkey to workflow_before_pkey;
create table workflow (
    workflow_no bigint not null,
    version bigint not null,
    created_at bigint not null,
    closed_at bigint,
    threshold integer not null,
    semaphore integer not null,
    messages integer not null,
    shard_no integer not null,
    format smallint not null default 1,
    parent_awaits boolean,
    parent_answer uuid,
    closed_by uuid,
    namespace text collate "C" not null,
    workflow_id text collate "C" not null,
    group_name text collate "C" not null,
    definition text collate "C" not null,
    definition_version text collate "C" not null,
    trigger_activity text collate "C" not null,
    status text collate "C" not null,
    chain bytea not null,
    output bytea not null,
    reason text,
    parent_group text,
    parent_namespace text,
    parent_workflow_id text,
    parent_activity text,
    parent_address text,
    primary key (namespace, workflow_no),
    constraint semaphore_not_negative check (semaphore >= 0),
    constraint version_counts_commits check (version >= 1),
    constraint chain_is_sha256 check (length(chain) = 32),
    constraint closed_has_closer check (closed_at is null or closed_by is not null),
    constraint ended_has_time check ((status in ('RUNNING', 'PAUSED', 'PARKED')) = (closed_at is null))
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
insert into workflow (workflow_no, threshold, version, semaphore, messages, created_at, closed_at, shard_no, format, parent_awaits,
    parent_answer, closed_by, namespace, workflow_id, group_name, definition, definition_version, trigger_activity, status, chain,
    output, reason, parent_group, parent_namespace, parent_workflow_id, parent_activity, parent_address)
select workflow_no, threshold, version, semaphore, messages, created_at, closed_at, shard_no, format, parent_awaits,
    parent_answer, closed_by, namespace, workflow_id, group_name, definition, definition_version, trigger_activity, status, chain,
    output, reason, parent_group, parent_namespace, parent_workflow_id, parent_activity, parent_address
from workflow_before;
drop table workflow_before;

-- As before: each can serve one kind of question only.
create unique index workflow_id_unique on workflow (workflow_id, (namespace || ''));
create index workflow_newest on workflow (namespace, created_at) where format >= 1;

-- No room is left for next versions: what changes when an activity is over stands in the condition of an index, so its next
-- version is a row of its own anyway.
alter table activity rename to activity_before;
alter table activity_before rename constraint activity_pkey to activity_before_pkey;
create table activity (
    workflow_no bigint not null,
    ledger bigint not null,
    guid_ledger bigint,
    due_at bigint,
    shard_no integer not null,
    attempt integer,
    format smallint not null default 1,
    live boolean not null default true,
    guid uuid,
    namespace text collate "C" not null,
    address text collate "C" not null,
    activity text collate "C" not null,
    type text collate "C" not null,
    input bytea not null,
    output bytea not null,
    waker text collate "C",
    waker_name text collate "C",
    task_input bytea,
    child_group text,
    child_workflow_id text,
    primary key (namespace, workflow_no, address, activity),
    constraint ledger_only_grows check (ledger between 0 and 299999999999999),
    constraint guid_ledger_only_grows check (guid_ledger between 0 and 999999999999),
    constraint first_message_is_one check ((guid is null) = (guid_ledger is null))
) with (autovacuum_vacuum_scale_factor = 0.05);
insert into activity (workflow_no, ledger, guid_ledger, due_at, shard_no, attempt, format, live, guid, namespace, address, activity,
    type, input, output, waker, waker_name, task_input, child_group, child_workflow_id)
select workflow_no, ledger, guid_ledger, due_at, shard_no, attempt, format, live, guid, namespace, address, activity,
    type, input, output, waker, waker_name, task_input, child_group, child_workflow_id
from activity_before;
drop table activity_before;

create index activity_due on activity (shard_no, due_at, workflow_no) where due_at is not null and live;
-- The beginning of a topic is enough to find it, and an index takes no text of more than some 2,600 bytes.
create index activity_hook on activity (namespace, left(waker_name, 200), workflow_no) where waker = 'HOOK' and live;
create index activity_awake on activity (shard_no, workflow_no) where waker = 'AWAKE' and live;
create index activity_signal on activity (guid) where type = 'HOOK' and guid is not null;
