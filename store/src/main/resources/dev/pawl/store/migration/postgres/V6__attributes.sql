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
