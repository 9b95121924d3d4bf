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

-- Ends a statement that cannot hold, from the middle of it; the whole batch is undone and the caller hears that it was refused.
create function refuse(why text) returns boolean language plpgsql volatile as $$
begin
    raise exception '%', why using errcode = 'check_violation';
end $$;

-- Whether a ledger can be reached from an earlier value by additions alone, digit by digit: a sum can grow while a digit
-- falls. Written as plain expressions, so that the planner puts them in place of the call.
-- Activities: position 1, leg-one entries, leg-one marker, leg-two entries; what is a trigger stays one.
create function activity_ledger_follows(later bigint, earlier bigint) returns boolean language sql immutable as $$
    select later / 100000000000000 >= earlier / 100000000000000
        and later / 1000000000000 % 100 >= earlier / 1000000000000 % 100
        and later / 100000000000 % 10 >= earlier / 100000000000 % 10
        and later % 100000000 >= earlier % 100000000
        and ((later / 100000000000000 = 1) = (earlier / 100000000000000 = 1) or earlier = 0)
$$;

-- Messages: the ordinal stays, markers are only set, and who completed without having closed never becomes the closer.
create function guid_ledger_follows(later bigint, earlier bigint) returns boolean language sql immutable as $$
    select later % 100000000 = earlier % 100000000
        and later / 100000000000 % 10 >= earlier / 100000000000 % 10
        and later / 10000000000 % 10 >= earlier / 10000000000 % 10
        and later / 1000000000 % 10 >= earlier / 1000000000 % 10
        and later / 100000000 % 10 >= earlier / 100000000 % 10
        and (earlier / 100000000 % 10 = 0 or later / 100000000000 % 10 = earlier / 100000000000 % 10)
$$;

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
    format smallint not null default 1,
    primary key (namespace, group_name, owner)
) with (fillfactor = 50, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);

-- One row per workflow, small, because every step rewrites it: its input is its trigger's.
-- No index holds a column that a step changes, so a new version finds room on its own page and no index hears of it.
-- Each index can serve one kind of question only: before the tables have statistics, all those that begin with the namespace
-- look the same to the planner, and a plan that goes through the whole namespace for every row would be kept. So the list has
-- a condition, always true, that only the question for the list repeats, and the index of the ids holds the namespace as an
-- expression: whoever looks for an id compares that one, and nobody else can use it.
create table workflow (
    namespace text collate "C" not null,
    workflow_no bigint not null,
    workflow_id text collate "C" not null,
    shard_no integer not null,
    group_name text collate "C" not null,
    definition text collate "C" not null,
    definition_version text collate "C" not null,
    trigger_activity text collate "C" not null,
    threshold bigint not null,
    parent_group text,
    parent_namespace text,
    parent_workflow_id text,
    parent_activity text,
    parent_address text,
    parent_answer uuid,
    parent_awaits boolean,
    status text collate "C" not null,
    version bigint not null,
    semaphore bigint not null,
    closed_by uuid,
    messages bigint not null,
    chain bytea not null,
    output bytea not null,
    reason text,
    created_at bigint not null,
    closed_at bigint,
    format smallint not null default 1,
    primary key (namespace, workflow_no),
    constraint semaphore_not_negative check (semaphore >= 0),
    constraint version_counts_commits check (version >= 1),
    constraint chain_is_sha256 check (length(chain) = 32),
    constraint closed_has_closer check (closed_at is null or closed_by is not null),
    constraint ended_has_time check ((status in ('RUNNING', 'PAUSED', 'PARKED')) = (closed_at is null))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

create unique index workflow_id_unique on workflow (workflow_id, (namespace || ''));
create index workflow_newest on workflow (namespace, created_at desc, workflow_id) where format >= 1;

-- The activity's ledger, what it certifies, and the ledger of the activity's first message, in one row.
-- "live" is true until the workflow closes, so that nothing closed is ever found due.
create table activity (
    namespace text collate "C" not null,
    workflow_no bigint not null,
    address text collate "C" not null,
    activity text collate "C" not null,
    shard_no integer not null,
    type text collate "C" not null,
    ledger bigint not null,
    guid uuid,
    guid_ledger bigint,
    input bytea not null,
    output bytea not null,
    waker text collate "C",
    waker_name text collate "C",
    due_at bigint,
    attempt integer,
    task_input bytea,
    child_group text,
    child_workflow_id text,
    live boolean not null default true,
    format smallint not null default 1,
    primary key (namespace, workflow_no, address, activity),
    constraint ledger_only_grows check (ledger between 0 and 299999999999999),
    constraint guid_ledger_only_grows check (guid_ledger between 0 and 999999999999),
    constraint first_message_is_one check ((guid is null) = (guid_ledger is null))
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

create index activity_due on activity (namespace, shard_no, due_at, workflow_no)
    where due_at is not null and live;
-- The beginning of a topic is enough to find it, and an index takes no text of more than some 2,600 bytes.
create index activity_hook on activity (namespace, left(waker_name, 200), workflow_no) where waker = 'HOOK' and live;
create index activity_awake on activity (namespace, shard_no, workflow_no) where waker = 'AWAKE' and live;

-- Ledgers of an activity's later messages.
create table guid_ledger (
    namespace text collate "C" not null,
    workflow_no bigint not null,
    guid uuid not null,
    address text collate "C" not null,
    activity text collate "C" not null,
    ledger bigint not null,
    format smallint not null default 1,
    primary key (namespace, workflow_no, guid),
    constraint ledger_only_grows check (ledger between 0 and 999999999999)
) with (fillfactor = 90);

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

-- What happened, one event for each version of a workflow, each with the hash of the one before it.
create table event (
    namespace text collate "C" not null,
    workflow_no bigint not null,
    number bigint not null,
    body text not null,
    format smallint not null default 1,
    primary key (namespace, workflow_no, number)
);

-- Signals that came before a hook waited for them.
create table signal (
    signal_no bigint generated always as identity primary key,
    namespace text collate "C" not null,
    workflow_no bigint not null,
    guid uuid not null,
    name text collate "C" not null,
    response text collate "C" not null,
    payload bytea not null,
    format smallint not null default 1,
    constraint signal_kept_once unique (namespace, workflow_no, guid)
) with (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0.02);

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
