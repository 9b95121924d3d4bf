-- Times are milliseconds since 1970 (UTC). A guid is 16 bytes, a hash 32. docs/SCHEMA.md explains every table.
-- "format" is the version of the record's layout: an engine ignores columns and tables it does not know, and is refused
-- where a newer engine has said that it must be.

-- One row: which engines may open this file at all.
create table store_format (
    singleton integer not null primary key check (singleton = 1),
    engine_format_min integer not null
);
insert into store_format (singleton, engine_format_min) values (1, 1);

-- Who may write where. The epoch only grows; every write under a lease carries it.
create table shard (
    namespace text not null,
    group_name text not null,
    shard_number integer not null,
    shard_no integer not null,
    owner text,
    epoch integer not null default 0,
    expires_at integer,
    ttl_millis integer not null default 15000,
    format integer not null default 0,
    primary key (namespace, group_name, shard_number),
    constraint shard_no_unique unique (shard_no),
    constraint epoch_not_negative check (epoch >= 0),
    constraint owner_has_expiry check ((owner is null) = (expires_at is null))
) without rowid;

create trigger epoch_only_grows before update of epoch on shard when new.epoch < old.epoch
begin
    select raise(abort, 'epoch_only_grows');
end;

-- Engines that want their share of a group's shards.
create table engine (
    namespace text not null,
    group_name text not null,
    owner text not null,
    expires_at integer not null,
    ttl_millis integer not null default 15000,
    shares integer not null default 1,
    format integer not null default 1,
    primary key (namespace, group_name, owner)
) without rowid;

-- One row per workflow: who it is, how it stands, and what it began and ended with. Written when one of these changes, not for
-- every step.
create table workflow (
    workflow_no integer not null primary key,
    namespace text not null,
    workflow_id text not null,
    shard_no integer not null,
    group_name text not null,
    definition text not null,
    definition_version text not null,
    trigger_activity text not null,
    threshold integer not null,
    parent_group text,
    parent_namespace text,
    parent_workflow_id text,
    parent_activity text,
    parent_address text,
    parent_answer blob,
    parent_awaits integer,
    status text not null,
    semaphore integer not null,
    closed_by blob,
    messages integer not null,
    input blob not null,
    output blob not null,
    reason text,
    created_at integer not null,
    closed_at integer,
    format integer not null default 1,
    constraint workflow_id_unique unique (namespace, workflow_id),
    constraint semaphore_not_negative check (semaphore >= 0),
    constraint closed_has_closer check (closed_at is null or closed_by is not null),
    -- Not "in (…)": for more than two values SQLite makes a table of them, anew for every row it checks.
    constraint ended_has_time check (
        (status = 'RUNNING' or status = 'PAUSED' or status = 'PARKED') = (closed_at is null))
);

-- Upwards, although it is read downwards: what is added at the end of an index fills its pages, what is added at its beginning
-- leaves each half empty. Workflows of one instant are put in order when they are read.
create index workflow_newest on workflow (namespace, created_at);

-- The journal: one row for each commit of a workflow, with the payloads that its body names by their digests, and the hash of the
-- body. The state of a workflow is what its rows fold to. Kept in the order of commits, not by workflow: it is the largest table
-- and only ever appended to, so that a commit fills its last pages and touches only the narrow index elsewhere. The index is the
-- version check: two owners cannot both append a number.
create table event (
    workflow_no integer not null,
    number integer not null,
    hash blob not null,
    signal_guid blob,
    body text not null,
    payloads blob,
    format integer not null default 1,
    constraint hash_is_sha256 check (length(hash) = 32)
);

create unique index event_once on event (workflow_no, number);
-- Whether a signal was applied or kept is asked for every keyed one before it is accepted.
create index event_signal on event (signal_guid) where signal_guid is not null;

-- What activities of open workflows wait for, where it must be found without loading the workflow: a row while it is so.
create table waiting (
    workflow_no integer not null,
    address text not null,
    activity text not null,
    namespace text not null,
    shard_no integer not null,
    waker text not null,
    waker_name text,
    due_at integer,
    attempt integer,
    task_input blob,
    format integer not null default 1,
    primary key (workflow_no, address, activity)
) without rowid;

create index waiting_due on waiting (shard_no, due_at, workflow_no) where due_at is not null;
create index waiting_hook on waiting (namespace, waker_name, workflow_no) where waker = 'HOOK';
create index waiting_awake on waiting (shard_no, workflow_no) where waker = 'AWAKE';

-- Joins: open until their last branch has arrived.
create table join_gate (
    namespace text not null,
    workflow_no integer not null,
    address text not null,
    activity text not null,
    semaphore integer not null,
    threshold integer not null,
    closed_by blob,
    format integer not null default 1,
    primary key (namespace, workflow_no, address, activity),
    constraint semaphore_not_negative check (semaphore >= 0),
    constraint closed_at_threshold check (closed_by is null or semaphore = threshold)
) without rowid;

-- Messages a workflow has sent to itself.
create table message (
    namespace text not null,
    shard_no integer not null,
    workflow_no integer not null,
    number integer not null,
    marks integer not null default 1,
    kind text not null,
    guid blob not null,
    activity text,
    address text,
    name text,
    source text,
    attempt integer,
    response text,
    payload blob not null,
    details text,
    format integer not null default 1,
    primary key (namespace, shard_no, workflow_no, number),
    constraint marks_in_bounds check (marks between 1 and 99)
) without rowid;

-- Messages from elsewhere, for workflows of a shard that may not exist yet.
create table inbox (
    inbox_id integer primary key autoincrement,
    namespace text not null,
    shard_no integer not null,
    workflow_id text not null,
    marks integer not null default 1,
    kind text not null,
    guid blob not null,
    activity text,
    address text,
    name text,
    source text,
    attempt integer,
    response text,
    payload blob not null,
    details text,
    format integer not null default 1,
    constraint marks_in_bounds check (marks between 1 and 99)
);

create index inbox_of_shard on inbox (namespace, shard_no, inbox_id);

-- Messages that were entered as often as a message may be.
create table given_up (
    given_up_id integer primary key autoincrement,
    namespace text not null,
    shard_no integer not null,
    workflow_id text not null,
    place text not null,
    place_no integer not null,
    reason text not null,
    marks integer not null,
    kind text not null,
    guid blob not null,
    activity text,
    address text,
    name text,
    source text,
    attempt integer,
    response text,
    payload blob not null,
    details text,
    format integer not null default 1
);

create index given_up_in_order on given_up (namespace, given_up_id);

-- The answer to a signal, kept for whoever sends it again.
create table signal_acceptance (
    namespace text not null,
    workflow_id text not null,
    signal_name text not null,
    signal_id text not null,
    guid blob not null,
    accepted_at integer not null,
    expires_at integer not null,
    format integer not null default 1,
    primary key (namespace, workflow_id, signal_name, signal_id)
) without rowid;

-- What is known of the effects that workflows have had on the outside world: one row for each operation with a key, written in
-- the commits of that operation's own row. Every part of the key is a column of its own, so that no two keys can meet.
-- "format" is the record's version.
create table effect (
    namespace text not null,
    workflow_no integer not null,
    operation_id text not null,
    activity_name text not null,
    idempotency_key text not null,
    status text not null,
    result blob,
    error blob,
    created_at integer not null,
    updated_at integer not null,
    format integer not null default 1,
    primary key (namespace, workflow_no, operation_id, activity_name, idempotency_key),
    constraint status_is_known check (status in ('completed', 'failed', 'cancelled', 'timed-out', 'indeterminate')),
    constraint only_completed_has_result check (result is null or status = 'completed')
) without rowid;

-- What may have happened or not, for whoever has to find out: closed workflows are looked for along it, and whatever is under way is in it
-- only as long as that lasts.
create index effect_unknown on effect (namespace, workflow_no, operation_id, activity_name, idempotency_key)
    where status = 'indeterminate';

-- What people have decided about what nobody else could. Kept as long as the workflow it is about; workflow_no is null where there
-- never was one.
create table decision (
    namespace text not null,
    workflow_id text not null,
    case_id text not null,
    workflow_no integer,
    decision text not null,
    subject text not null,
    note text not null,
    decided_at integer not null,
    arguments blob not null,
    format integer not null default 1,
    primary key (namespace, workflow_id, case_id)
) without rowid;

create index decision_of_workflow on decision (namespace, workflow_no);

-- Whether a signal is there is asked for every keyed one before it is accepted: by its guid, wherever it may lie.
create index inbox_signal on inbox (guid) where kind = 'SIGNAL';
create index given_up_signal on given_up (guid) where kind = 'SIGNAL';

-- Pools of slots. The row is what those who ask for slots of a pool take turns at; how large the pool is, they say themselves.
-- One that got none is next: until then a slot is kept for it, or those who give back would always be the first to take.
create table slot_pool (
    namespace text not null,
    pool text not null,
    kind text not null,
    slots_max integer not null,
    lasts_millis integer not null,
    next_process text,
    next_until integer,
    format integer not null default 1,
    primary key (namespace, pool, kind),
    constraint slot_pool_kind check (kind in ('CONCURRENT', 'RATE')),
    constraint slot_pool_has_slots check (slots_max > 0 and lasts_millis > 0),
    constraint next_has_an_end check ((next_process is null) = (next_until is null))
) without rowid;

-- A slot is a lease: it is there while it is held, so they can be counted. One that has run out is deleted by whoever asks next.
create table slot (
    namespace text not null,
    pool text not null,
    kind text not null,
    holder text not null,
    process text not null,
    fair_key text not null,
    expires_at integer not null,
    format integer not null default 1,
    primary key (namespace, pool, kind, holder)
) without rowid;

-- What workflows are found by, and the memos they are shown with: one row for each name that is set, written in the commit that
-- sets it. created_at is the workflow's own, so that what is found by one value comes out of the index newest first.
create table attribute (
    namespace text not null,
    workflow_no integer not null,
    memo integer not null,
    name text not null,
    type text not null,
    text_value text,
    number_value integer,
    memo_value blob,
    created_at integer not null,
    format integer not null default 1,
    primary key (namespace, workflow_no, memo, name),
    constraint type_is_known check (type in ('TEXT', 'LONG', 'BOOLEAN', 'TIME', 'MEMO')),
    constraint memo_is_no_attribute check (memo = (type = 'MEMO')),
    constraint value_fits_type check ((text_value is not null) = (type = 'TEXT')
        and (number_value is not null) = (type in ('LONG', 'BOOLEAN', 'TIME')) and (memo_value is not null) = memo)
) without rowid;

create index attribute_text on attribute (namespace, name, text_value, created_at desc, workflow_no) where type = 'TEXT';
create index attribute_number on attribute (namespace, name, type, number_value, created_at desc, workflow_no)
    where number_value is not null;

-- For people: the digits of every activity as the last event leaves them that tells of it. Drawn with 15 digits they read as in the
-- specification.
create view ledger as
select w.namespace, w.workflow_id, substr(l.key, 1, instr(l.key, ',') - 1) as activity, substr(l.key, instr(l.key, ',')) as address,
    printf('%015d', l.digits) as digits, l.waker, l.number as event
from (
    -- SQLite takes the other columns from the row that has the greatest number.
    select e.workflow_no, a.value ->> 'key' as key, a.value ->> 'ledger' as digits, a.value ->> 'waker' as waker,
        max(e.number) as number
    from event e cross join json_each(e.body, '$.activities') a
    group by e.workflow_no, a.value ->> 'key') l
join workflow w on w.workflow_no = l.workflow_no;

-- The digits of every message that has a ledger, by the activity it came to.
create view message_ledger as
select w.namespace, w.workflow_id, substr(l.key, 1, instr(l.key, ',') - 1) as activity, substr(l.key, instr(l.key, ',')) as address,
    l.guid, printf('%015d', l.digits + case when exists (
        -- Where the ledger of the message that closes is not told again, the move says that its digit is set.
        select 1 from event m cross join json_each(m.body, '$.moves') v
        where m.workflow_no = l.workflow_no and v.value ->> 'marks' and coalesce(v.value ->> 'by', m.body ->> 'guid') = l.guid)
    then 100000000000 else 0 end) as digits, l.number as event
from (
    select workflow_no, key, guid, digits, max(number) as number
    from (
        select e.workflow_no, a.value ->> 'key' as key, coalesce(e.body ->> 'guid', 'start') as guid,
            a.value ->> 'message' as digits, e.number
        from event e cross join json_each(e.body, '$.activities') a where a.value ->> 'message' is not null
        union all
        select e.workflow_no, a.value ->> 'key', coalesce(a.value ->> 'guid', e.body ->> 'guid', 'start'),
            a.value ->> 'ledger', e.number
        from event e cross join json_each(e.body, '$.ledgers') a)
    group by workflow_no, guid) l
join workflow w on w.workflow_no = l.workflow_no;

-- What happened to each workflow, one line for each activity that a commit has changed.
create view timeline as
select w.namespace, w.workflow_id, e.number as event, datetime(e.body ->> 'at' / 1000.0, 'unixepoch', 'subsec') as at,
    coalesce(e.body ->> 'cause', 'start') as cause, a.value ->> 'key' as activity, printf('%015d', a.value ->> 'ledger') as digits,
    a.value ->> 'waker' as waker, coalesce(e.body ->> '$.closed.status', e.body ->> '$.held.status') as status
from event e
join workflow w on w.workflow_no = e.workflow_no
left join json_each(e.body, '$.activities') a;
