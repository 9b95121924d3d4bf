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
create index activity_signal on activity (guid) where type = 'HOOK' and guid is not null;
