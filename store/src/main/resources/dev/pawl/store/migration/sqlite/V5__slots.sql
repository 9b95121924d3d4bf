-- Pools of slots. The row is what those who ask for slots of a pool take turns at; how large the pool is, they say themselves.
create table slot_pool (
    namespace text not null,
    pool text not null,
    kind text not null,
    slots_max integer not null,
    lasts_millis integer not null,
    format integer not null default 1,
    primary key (namespace, pool, kind),
    constraint slot_pool_kind check (kind in ('CONCURRENT', 'RATE')),
    constraint slot_pool_has_slots check (slots_max > 0 and lasts_millis > 0)
) without rowid;

-- A slot is a lease: it is there while it is held, so they can be counted. One that has run out is deleted by whoever asks next.
create table slot (
    namespace text not null,
    pool text not null,
    kind text not null,
    holder text not null,
    fair_key text not null,
    expires_at integer not null,
    format integer not null default 1,
    primary key (namespace, pool, kind, holder)
) without rowid;
