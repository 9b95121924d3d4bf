-- What a version to come may do to a database while this one still uses it: it adds.

create table future_record (
    namespace text not null,
    workflow_id text not null,
    note text not null,
    format integer not null default 2,
    primary key (namespace, workflow_id)
);

alter table store_format add column future text;
alter table shard add column future text;
alter table engine add column future text;
alter table workflow add column future text;
alter table waiting add column future text;
alter table join_gate add column future text;
alter table message add column future text;
alter table inbox add column future text;
alter table given_up add column future text;
alter table event add column future text;
alter table decision add column future text;
alter table signal_acceptance add column future text;
alter table effect add column future text;
alter table attribute add column future text;
alter table slot_pool add column future text;
alter table slot add column future text;
