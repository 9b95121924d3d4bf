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
    format integer not null default 0,
    primary key (namespace, group_name, shard_number),
    constraint shard_no_unique unique (namespace, shard_no),
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
    format integer not null default 1,
    primary key (namespace, group_name, owner)
) without rowid;

-- One row per workflow, small, because every step rewrites it: its input is its trigger's.
create table workflow (
    namespace text not null,
    workflow_no integer not null,
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
    version integer not null,
    semaphore integer not null,
    closed_by blob,
    messages integer not null,
    chain blob not null,
    output blob not null,
    reason text,
    created_at integer not null,
    closed_at integer,
    format integer not null default 1,
    primary key (namespace, workflow_no),
    constraint workflow_id_unique unique (namespace, workflow_id),
    constraint semaphore_not_negative check (semaphore >= 0),
    constraint version_counts_commits check (version >= 1),
    constraint chain_is_sha256 check (length(chain) = 32),
    constraint closed_has_closer check (closed_at is null or closed_by is not null),
    -- Not "in (…)": for more than two values SQLite makes a table of them, anew for every row it checks.
    constraint ended_has_time check (
        (status = 'RUNNING' or status = 'PAUSED' or status = 'PARKED') = (closed_at is null))
) without rowid;

create index workflow_newest on workflow (namespace, created_at desc, workflow_id);

-- The activity's ledger, what it certifies, and the ledger of the activity's first message, in one row.
-- "live" is 1 until the workflow closes, so that nothing closed is ever found due.
create table activity (
    namespace text not null,
    workflow_no integer not null,
    address text not null,
    activity text not null,
    shard_no integer not null,
    type text not null,
    ledger integer not null,
    guid blob,
    guid_ledger integer,
    input blob not null,
    output blob not null,
    waker text,
    waker_name text,
    due_at integer,
    attempt integer,
    task_input blob,
    child_group text,
    child_workflow_id text,
    live integer not null default 1,
    format integer not null default 1,
    primary key (namespace, workflow_no, address, activity),
    constraint ledger_only_grows check (ledger between 0 and 299999999999999),
    constraint guid_ledger_only_grows check (guid_ledger between 0 and 999999999999),
    constraint first_message_is_one check ((guid is null) = (guid_ledger is null))
) without rowid;

create index activity_due on activity (namespace, shard_no, due_at, workflow_no)
    where due_at is not null and live = 1;
create index activity_hook on activity (namespace, waker_name, workflow_no) where waker = 'HOOK' and live = 1;
create index activity_awake on activity (namespace, shard_no, workflow_no) where waker = 'AWAKE' and live = 1;

-- Ledgers of an activity's later messages.
create table guid_ledger (
    namespace text not null,
    workflow_no integer not null,
    guid blob not null,
    address text not null,
    activity text not null,
    ledger integer not null,
    format integer not null default 1,
    primary key (namespace, workflow_no, guid),
    constraint ledger_only_grows check (ledger between 0 and 999999999999)
) without rowid;

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

-- What happened, one event for each version of a workflow, each with the hash of the one before it. Kept in the order of
-- commits, not by workflow: it is the largest table and only ever appended to, so that a commit fills its last pages and
-- touches only the narrow index elsewhere.
create table event (
    event_id integer primary key,
    namespace text not null,
    workflow_no integer not null,
    number integer not null,
    body text not null,
    format integer not null default 1,
    constraint event_once unique (namespace, workflow_no, number)
);

-- Signals that came before a hook waited for them.
create table signal (
    signal_no integer primary key autoincrement,
    namespace text not null,
    workflow_no integer not null,
    guid blob not null,
    name text not null,
    response text not null,
    payload blob not null,
    format integer not null default 1,
    constraint signal_kept_once unique (namespace, workflow_no, guid)
);

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
