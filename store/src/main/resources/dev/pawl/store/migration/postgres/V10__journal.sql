-- Times are milliseconds since 1970 (UTC). A hash is 32 bytes. docs/SCHEMA.md explains every table.
-- "format" is the version of the record's layout: an engine ignores columns and tables it does not know, and is refused
-- where a newer engine has said that it must be.
-- Text that is a key or is put in order has the collation "C": byte by byte, the same on every server and in every version
-- of its libraries, and the cheapest there is.

-- One row: which engines may open this schema at all.
create table store_format (
    singleton smallint not null primary key check (singleton = 1),
    engine_format_min integer not null
);
insert into store_format (singleton, engine_format_min) values (1, 1);

-- Numbers of workflows, in the order they are created, so that their rows lie together. One that a refused batch has drawn
-- is left out.
create sequence workflow_number as bigint cache 1;

-- Who may write where. The epoch only grows; every write under a lease carries it.
-- Every commit locks its shard's row and every renewal rewrites it: half of each page is left for the next versions.
create table shard (
    namespace text collate "C" not null,
    group_name text collate "C" not null,
    shard_number integer not null,
    shard_no integer generated always as identity,
    owner text,
    epoch bigint not null default 0,
    expires_at bigint,
    ttl_millis bigint not null default 15000,
    format smallint not null default 0,
    primary key (namespace, group_name, shard_number),
    constraint shard_no_unique unique (shard_no, namespace),
    constraint epoch_not_negative check (epoch >= 0),
    constraint owner_has_expiry check ((owner is null) = (expires_at is null))
) with (fillfactor = 50, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);

create function epoch_only_grows() returns trigger language plpgsql as $$
begin
    raise exception 'the epoch of shard %/%/% would fall from % to %', old.namespace, old.group_name, old.shard_number,
        old.epoch, new.epoch using errcode = 'check_violation', constraint = 'epoch_only_grows', table = 'shard';
end $$;

create trigger epoch_only_grows before update of epoch on shard
    for each row when (new.epoch < old.epoch) execute function epoch_only_grows();

-- Engines that want their share of a group's shards.
create table engine (
    namespace text collate "C" not null,
    group_name text collate "C" not null,
    owner text collate "C" not null,
    expires_at bigint not null,
    ttl_millis bigint not null default 15000,
    shares boolean not null default true,
    format smallint not null default 1,
    primary key (namespace, group_name, owner)
) with (fillfactor = 50, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);

-- One row per workflow: who it is, how it stands, and what it began and ended with. Written when one of these changes, not for
-- every step. What has a fixed size comes first, the longest before the others: nothing is lost between two columns.
-- No index holds a column that changes, so a new version finds room on its own page and no index hears of it: half of each page is
-- left for that, because the workflows of a page were started together and go on together.
-- Each index can serve one kind of question only: before the tables have statistics, all those that begin with the namespace
-- look the same to the planner, and a plan that goes through the whole namespace for every row would be kept. So the list has
-- a condition, always true, that only the question for the list repeats, and the index of the ids holds the namespace as an
-- expression: whoever looks for an id compares that one, and nobody else can use it.
create table workflow (
    workflow_no bigint not null primary key,
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
    input bytea not null,
    output bytea not null,
    reason text,
    parent_group text,
    parent_namespace text,
    parent_workflow_id text,
    parent_activity text,
    parent_address text,
    constraint semaphore_not_negative check (semaphore >= 0),
    constraint closed_has_closer check (closed_at is null or closed_by is not null),
    constraint ended_has_time check ((status in ('RUNNING', 'PAUSED', 'PARKED')) = (closed_at is null))
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

create unique index workflow_id_unique on workflow (workflow_id, (namespace || ''));
-- Upwards, although it is read downwards: what is added at the end of an index fills its pages, what is added at its beginning
-- leaves each half empty. Workflows of one instant are put in order when they are read; in the index they share an entry.
create index workflow_newest on workflow (namespace, created_at) where format >= 1;

-- The journal: one row for each commit of a workflow, with the payloads that its body names by their digests, and the hash of the
-- body. The state of a workflow is what its rows fold to. The primary key is the version check: two owners cannot both append a
-- number.
create table event (
    workflow_no bigint not null,
    number integer not null,
    format smallint not null default 1,
    signal_guid uuid,
    hash bytea not null,
    body text not null,
    payloads bytea,
    primary key (workflow_no, number),
    constraint hash_is_sha256 check (length(hash) = 32)
);

-- Whether a signal was applied or kept is asked for every keyed one before it is accepted.
create index event_signal on event (signal_guid) where signal_guid is not null;

-- What activities of open workflows wait for, where it must be found without loading the workflow: a row while it is so.
create table waiting (
    workflow_no bigint not null,
    due_at bigint,
    shard_no integer not null,
    attempt integer,
    format smallint not null default 1,
    namespace text collate "C" not null,
    address text collate "C" not null,
    activity text collate "C" not null,
    waker text collate "C" not null,
    waker_name text collate "C",
    task_input bytea,
    primary key (workflow_no, address, activity)
) with (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

create index waiting_due on waiting (shard_no, due_at, workflow_no) where due_at is not null;
-- The beginning of a topic is enough to find it, and an index takes no text of more than some 2,600 bytes.
create index waiting_hook on waiting (namespace, left(waker_name, 200), workflow_no) where waker = 'HOOK';
create index waiting_awake on waiting (shard_no, workflow_no) where waker = 'AWAKE';

-- Joins: open until their last branch has arrived.
create table join_gate (
    namespace text collate "C" not null,
    workflow_no bigint not null,
    address text collate "C" not null,
    activity text collate "C" not null,
    semaphore bigint not null,
    threshold bigint not null,
    closed_by uuid,
    format smallint not null default 1,
    primary key (namespace, workflow_no, address, activity),
    constraint semaphore_not_negative check (semaphore >= 0),
    constraint closed_at_threshold check (closed_by is null or semaphore = threshold)
) with (fillfactor = 80);

-- Messages a workflow has sent to itself. Nearly every row is gone a moment later: what is dead is swept every few thousand
-- rows, without pauses, however large the table once was; otherwise every look into it wades through them.
create table message (
    namespace text collate "C" not null,
    shard_no integer not null,
    workflow_no bigint not null,
    number bigint not null,
    marks smallint not null default 1,
    kind text collate "C" not null,
    guid uuid not null,
    activity text collate "C",
    address text collate "C",
    name text,
    source text,
    attempt integer,
    response text,
    payload bytea not null,
    details text,
    format smallint not null default 1,
    primary key (namespace, shard_no, workflow_no, number),
    constraint marks_in_bounds check (marks between 1 and 99)
) with (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_cost_delay = 0,
    autovacuum_analyze_scale_factor = 0.5);

-- Messages from elsewhere, for workflows of a shard that may not exist yet.
create table inbox (
    inbox_id bigint generated always as identity primary key,
    namespace text collate "C" not null,
    shard_no integer not null,
    workflow_id text collate "C" not null,
    marks smallint not null default 1,
    kind text collate "C" not null,
    guid uuid not null,
    activity text collate "C",
    address text collate "C",
    name text,
    source text,
    attempt integer,
    response text,
    payload bytea not null,
    details text,
    format smallint not null default 1,
    constraint marks_in_bounds check (marks between 1 and 99)
) with (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_cost_delay = 0,
    autovacuum_analyze_scale_factor = 0.5);

create index inbox_of_shard on inbox (namespace, shard_no, inbox_id);

-- Messages that were entered as often as a message may be.
create table given_up (
    given_up_id bigint generated always as identity primary key,
    namespace text collate "C" not null,
    shard_no integer not null,
    workflow_id text collate "C" not null,
    place text collate "C" not null,
    place_no bigint not null,
    reason text not null,
    marks smallint not null,
    kind text collate "C" not null,
    guid uuid not null,
    activity text collate "C",
    address text collate "C",
    name text,
    source text,
    attempt integer,
    response text,
    payload bytea not null,
    details text,
    format smallint not null default 1
);

create index given_up_in_order on given_up (namespace, given_up_id);

-- The answer to a signal, kept for whoever sends it again.
create table signal_acceptance (
    namespace text collate "C" not null,
    workflow_id text collate "C" not null,
    signal_name text collate "C" not null,
    signal_id text collate "C" not null,
    guid uuid not null,
    accepted_at bigint not null,
    expires_at bigint not null,
    format smallint not null default 1,
    primary key (namespace, workflow_id, signal_name, signal_id)
);

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

-- What may have happened or not, for whoever has to find out: closed workflows are looked for along it, and whatever is under way is in it
-- only as long as that lasts.
create index effect_unknown on effect (namespace, workflow_no, operation_id, activity_name, idempotency_key)
    where status = 'indeterminate';

-- What people have decided about what nobody else could. Kept as long as the workflow it is about; workflow_no is null where there
-- never was one.
create table decision (
    namespace text collate "C" not null,
    workflow_id text collate "C" not null,
    case_id text collate "C" not null,
    workflow_no bigint,
    decision text collate "C" not null,
    subject text not null,
    note text not null,
    decided_at bigint not null,
    arguments bytea not null,
    format smallint not null default 1,
    primary key (namespace, workflow_id, case_id)
);

create index decision_of_workflow on decision (workflow_no, namespace);

-- Whether a signal is there is asked for every keyed one before it is accepted: by its guid, wherever it may lie.
create index inbox_signal on inbox (guid) where kind = 'SIGNAL';
create index given_up_signal on given_up (guid) where kind = 'SIGNAL';

-- Pools of slots. The row is what those who ask for slots of a pool take turns at; how large the pool is, they say themselves.
-- One that got none is next: until then a slot is kept for it, or those who give back would always be the first to take.
create table slot_pool (
    namespace text collate "C" not null,
    pool text collate "C" not null,
    kind text collate "C" not null,
    slots_max integer not null,
    lasts_millis bigint not null,
    next_process text collate "C",
    next_until bigint,
    format smallint not null default 1,
    primary key (namespace, pool, kind),
    constraint slot_pool_kind check (kind in ('CONCURRENT', 'RATE')),
    constraint slot_pool_has_slots check (slots_max > 0 and lasts_millis > 0),
    constraint next_has_an_end check ((next_process is null) = (next_until is null))
) with (fillfactor = 50);

-- A slot is a lease: it is there while it is held, so they can be counted. One that has run out is deleted by whoever asks next.
create table slot (
    namespace text collate "C" not null,
    pool text collate "C" not null,
    kind text collate "C" not null,
    holder text collate "C" not null,
    process text collate "C" not null,
    fair_key text not null,
    expires_at bigint not null,
    format smallint not null default 1,
    primary key (namespace, pool, kind, holder)
) with (fillfactor = 50, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_cost_delay = 0);

-- What workflows are found by, and the memos they are shown with: one row for each name that is set, written in the commit that
-- sets it. created_at is the workflow's own, so that what is found by one value comes out of the index newest first. The indexes hold
-- whole texts: none has more than 2,048 bytes, and an index takes rows of some 2,700.
create table attribute (
    namespace text collate "C" not null,
    workflow_no bigint not null,
    memo boolean not null,
    name text collate "C" not null,
    type text collate "C" not null,
    text_value text collate "C",
    number_value bigint,
    memo_value bytea,
    created_at bigint not null,
    format smallint not null default 1,
    primary key (namespace, workflow_no, memo, name),
    constraint type_is_known check (type in ('TEXT', 'LONG', 'BOOLEAN', 'TIME', 'MEMO')),
    constraint memo_is_no_attribute check (memo = (type = 'MEMO')),
    constraint value_fits_type check ((text_value is not null) = (type = 'TEXT')
        and (number_value is not null) = (type in ('LONG', 'BOOLEAN', 'TIME')) and (memo_value is not null) = memo)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

create index attribute_text on attribute (name, text_value, created_at desc, workflow_no, namespace) where type = 'TEXT';
create index attribute_number on attribute (name, type, number_value, created_at desc, workflow_no, namespace)
    where number_value is not null;

-- For people: the digits of every activity as the last event leaves them that tells of it. Drawn with 15 digits they read as in the
-- specification.
create view ledger as
select w.namespace, w.workflow_id, split_part(l.key, ',', 1) as activity, substr(l.key, strpos(l.key, ',')) as address,
    lpad(l.digits, 15, '0') as digits, l.waker, l.number as event
from (
    select distinct on (e.workflow_no, a.told ->> 'key') e.workflow_no, a.told ->> 'key' as key, a.told ->> 'ledger' as digits,
        a.told ->> 'waker' as waker, e.number
    from event e cross join json_array_elements(e.body::json -> 'activities') as a (told)
    order by e.workflow_no, a.told ->> 'key', e.number desc) l
join workflow w on w.workflow_no = l.workflow_no;

-- The digits of every message that has a ledger, by the activity it came to.
create view message_ledger as
select w.namespace, w.workflow_id, split_part(l.key, ',', 1) as activity, substr(l.key, strpos(l.key, ',')) as address,
    l.guid, lpad((l.digits::bigint + case when exists (
        -- Where the ledger of the message that closes is not told again, the move says that its digit is set.
        select from event m cross join json_array_elements(m.body::json -> 'moves') as v (told)
        where m.workflow_no = l.workflow_no and v.told ->> 'marks' is not null
            and coalesce(v.told ->> 'by', m.body::json ->> 'guid') = l.guid)
    then 100000000000 else 0 end)::text, 15, '0') as digits, l.number as event
from (
    select distinct on (t.workflow_no, t.guid) t.* from (
        select e.workflow_no, a.told ->> 'key' as key, coalesce(e.body::json ->> 'guid', 'start') as guid,
            a.told ->> 'message' as digits, e.number
        from event e cross join json_array_elements(e.body::json -> 'activities') as a (told)
        where a.told ->> 'message' is not null
        union all
        select e.workflow_no, a.told ->> 'key', coalesce(a.told ->> 'guid', e.body::json ->> 'guid', 'start'),
            a.told ->> 'ledger', e.number
        from event e cross join json_array_elements(e.body::json -> 'ledgers') as a (told)) t
    order by t.workflow_no, t.guid, t.number desc) l
join workflow w on w.workflow_no = l.workflow_no;

-- What happened to each workflow, one line for each activity that a commit has changed.
create view timeline as
select w.namespace, w.workflow_id, e.number as event, to_timestamp((e.body::json ->> 'at')::bigint / 1000.0) as at,
    coalesce(e.body::json ->> 'cause', 'start') as cause, a.told ->> 'key' as activity,
    lpad(a.told ->> 'ledger', 15, '0') as digits, a.told ->> 'waker' as waker,
    coalesce(e.body::json #>> '{closed,status}', e.body::json #>> '{held,status}') as status
from event e
join workflow w on w.workflow_no = e.workflow_no
left join json_array_elements(e.body::json -> 'activities') as a (told) on true;
