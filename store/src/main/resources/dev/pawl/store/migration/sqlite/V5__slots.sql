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
