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
