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
