-- The statements of the PostgreSQL store. Parameters stand in the same order as in sqlite.sql, but for those of the commit.
-- Whoever writes does so at READ COMMITTED: after a wait for somebody else, the next statement sees what that one has written.
-- Where a workflow is looked up by its id, the namespace is compared as an expression (namespace || ''), as it stands in the
-- index of the ids: so no plan can be made that goes through all workflows of the namespace.
-- Where rows are looked up for the rows of another table, it is in a subquery, which is run with the values of each row: a
-- join would be planned by what the server believes of the tables. Before they have statistics, or with those of a time when
-- they were small, it takes the one row with a namespace for granted and reads the whole namespace once for every row.

-- Parts that several statements share: {name} stands for them.

-- part: workflow_columns
w.workflow_no, w.workflow_id, w.group_name, w.definition, w.definition_version, w.trigger_activity, w.threshold,
    w.parent_group, w.parent_namespace, w.parent_workflow_id, w.parent_activity, w.parent_address, w.parent_answer,
    w.parent_awaits, w.status, w.semaphore, w.closed_by, w.messages, w.input, w.output, w.reason, w.created_at, w.closed_at,
    (select max(e.number) from event e where e.workflow_no = w.workflow_no) as version,
    (select e.hash from event e where e.workflow_no = w.workflow_no order by e.number desc limit 1) as chain

-- part: workflow_filter
and (?2::text is null or w.definition = ?2::text)
    and (?3::text is null or w.status = ?3::text)
    and (?4::text is null or (w.workflow_id >= ?4::text and starts_with(w.workflow_id, ?4::text)))
    and (?5::bigint is null or w.created_at >= ?5::bigint)
    and (?6::bigint is null or w.created_at < ?6::bigint)

-- All that is asked of attributes, as JSON: a list of names, each with a type and with ranges, one of which it must be in.
-- part: attribute_filter
and (select true from json_array_elements(?10::json) c
        where (select true from attribute t
            where t.namespace = w.namespace and t.workflow_no = w.workflow_no and not t.memo and t.name = c ->> 'name'
                and (c ->> 'type' is null or (t.type = c ->> 'type' and (
                    select true from json_array_elements(c -> 'ranges') r
                    where case when t.type = 'TEXT' then t.text_value >= r ->> 'from' and t.text_value <= r ->> 'to'
                        else t.number_value >= (r ->> 'from')::bigint and t.number_value <= (r ->> 'to')::bigint end
                    limit 1)))) is null
        limit 1) is null

-- part: waiting_columns
w.workflow_id, a.address, a.activity, a.waker, a.waker_name, a.due_at, a.attempt, a.task_input

-- Ownership. The clock is the database's: engines with wrong clocks still agree.

-- Two engines may create the same group at once. The second one's first row then waits for the first one's and is refused;
-- it looks again and finds the number fixed.
-- name: count_shards
select count(*) from shard where namespace = ?1 and group_name = ?2

-- name: create_shard
insert into shard (namespace, group_name, shard_number) values (?1, ?2, ?3)

-- name: shards_of_group
select shard_number, shard_no from shard where namespace = ?1 and group_name = ?2 order by shard_number

-- name: leases
select shard_number, owner, epoch, expires_at, ttl_millis, format, owner is not null and expires_at > (extract(epoch from clock_timestamp()) * 1000)::bigint as live
from shard where namespace = ?1 and group_name = ?2 order by shard_number

-- Waits for every commit under way in the shard: they hold their fence FOR KEY SHARE. A renewal changes no key and waits
-- for none of them, nor they for it, however busy the shard is.
-- name: lock_shard
select owner, epoch, expires_at, format, owner is not null and expires_at > (extract(epoch from clock_timestamp()) * 1000)::bigint as live
from shard where namespace = ?1 and group_name = ?2 and shard_number = ?3
for update

-- An owner that stands still in the middle of a transaction must not hold up the engine that wants to take over, and with it the
-- renewal of what that one owns already: it tries again.
-- name: lock_free_shard
select owner, epoch, expires_at, format, owner is not null and expires_at > (extract(epoch from clock_timestamp()) * 1000)::bigint as live
from shard where namespace = ?1 and group_name = ?2 and shard_number = ?3
for update skip locked

-- name: shard_epoch
select epoch, owner is not null as held from shard where namespace = ?1 and group_name = ?2 and shard_number = ?3

-- name: own_shard
update shard set owner = ?4, epoch = ?5, expires_at = (extract(epoch from clock_timestamp()) * 1000)::bigint + ?6, ttl_millis = ?6, format = ?7
where namespace = ?1 and group_name = ?2 and shard_number = ?3
returning expires_at

-- What was abandoned stays so.
-- name: renew_shards
update shard set expires_at = (extract(epoch from clock_timestamp()) * 1000)::bigint + ?4, ttl_millis = ?4
where namespace = ?1 and group_name = ?2 and owner = ?3 and expires_at > 0

-- Like a claim it waits for commits under way: once it is known that the shard was given back, nothing more is written.
-- name: release_shard
with held as (
    select shard_no from shard
    where namespace = ?1 and group_name = ?2 and shard_number = ?3 and epoch = ?4
    for update)
update shard s set owner = null, expires_at = null from held where s.namespace = ?1 and s.shard_no = held.shard_no

-- name: abandon_shard
update shard set expires_at = 0
where namespace = ?1 and group_name = ?2 and shard_number = ?3 and epoch = ?4 and owner is not null

-- name: renew_engine
insert into engine (namespace, group_name, owner, expires_at, ttl_millis, shares)
values (?1, ?2, ?3, (extract(epoch from clock_timestamp()) * 1000)::bigint + ?4, ?4, ?5)
on conflict (namespace, group_name, owner) do update set expires_at = excluded.expires_at,
    ttl_millis = excluded.ttl_millis, shares = excluded.shares

-- name: engines
select owner, expires_at, ttl_millis, shares, expires_at > (extract(epoch from clock_timestamp()) * 1000)::bigint as live
from engine where namespace = ?1 and group_name = ?2 order by owner

-- name: depart_engine
delete from engine where namespace = ?1 and group_name = ?2 and owner = ?3

-- name: forget_engine
delete from engine where namespace = ?1 and group_name = ?2 and owner = ?3 and expires_at = ?4

-- Slots. Whoever asks for some holds the row of the pool first, so that nobody else counts meanwhile.

-- name: lock_pool
select slots_max, lasts_millis,
    case when next_until > (extract(epoch from clock_timestamp()) * 1000)::bigint then next_process end as next_process,
    next_until - (extract(epoch from clock_timestamp()) * 1000)::bigint as next_for
from slot_pool where namespace = ?1 and pool = ?2 and kind = ?3
for update

-- name: put_pool
insert into slot_pool (namespace, pool, kind, slots_max, lasts_millis) values (?1, ?2, ?3, ?4, ?5)
on conflict (namespace, pool, kind) do update set slots_max = excluded.slots_max, lasts_millis = excluded.lasts_millis

-- Who got no slot is the next to get one; nobody else is if the process is null.
-- name: next_in_pool
update slot_pool set next_process = ?4::text,
    next_until = case when ?4::text is not null then (extract(epoch from clock_timestamp()) * 1000)::bigint + ?5 end
where namespace = ?1 and pool = ?2 and kind = ?3

-- One that is being prolonged or given back at this moment is left alone: nobody waits for it, and it counts.
-- name: forget_slots
delete from slot where namespace = ?1 and pool = ?2 and kind = ?3 and holder in (
    select s.holder from slot s
    where s.namespace = ?1 and s.pool = ?2 and s.kind = ?3
        and (s.expires_at <= (extract(epoch from clock_timestamp()) * 1000)::bigint
            or s.holder = any (array(select each ->> 'holder' from json_array_elements(?4::json) each)))
    for update skip locked)

-- Those that have run out were deleted before: one that is still there may have been prolonged just now.
-- name: count_slots
select count(*) as held, count(*) filter (where process <> ?4) as held_elsewhere,
    min(expires_at) - (extract(epoch from clock_timestamp()) * 1000)::bigint as next_in
from slot where namespace = ?1 and pool = ?2 and kind = ?3

-- name: take_slot
insert into slot (namespace, pool, kind, holder, process, fair_key, expires_at)
values (?1, ?2, ?3, ?4, ?5, ?6, (extract(epoch from clock_timestamp()) * 1000)::bigint + ?7)

-- name: renew_slots
update slot s set expires_at = (extract(epoch from clock_timestamp()) * 1000)::bigint + ?3
from json_array_elements(?2::json) each
where s.namespace = ?1 and s.kind = 'CONCURRENT' and s.pool = each ->> 'pool' and s.holder = each ->> 'holder'
    and s.expires_at > (extract(epoch from clock_timestamp()) * 1000)::bigint
returning s.pool, s.holder

-- name: release_slots
delete from slot s using json_array_elements(?2::json) each
where s.namespace = ?1 and s.kind = 'CONCURRENT' and s.pool = each ->> 'pool' and s.holder = each ->> 'holder'

-- name: pools
select p.pool, p.kind, p.slots_max, p.lasts_millis,
    (select count(*) from slot s where s.namespace = p.namespace and s.pool = p.pool and s.kind = p.kind
        and s.expires_at > (extract(epoch from clock_timestamp()) * 1000)::bigint) as held
from slot_pool p where p.namespace = ?1 order by p.pool, p.kind

-- name: slots
select kind, holder, process, fair_key, expires_at from slot
where namespace = ?1 and pool = ?2 and expires_at > (extract(epoch from clock_timestamp()) * 1000)::bigint
order by kind, holder limit ?3

-- Slots of pools that nobody asks for any more, and then the pools.
-- name: sweep_slots
delete from slot where namespace = ?1 and ctid = any (array(select s.ctid from slot s
    where s.namespace = ?1 and s.expires_at <= (extract(epoch from clock_timestamp()) * 1000)::bigint and s.format <= ?2 limit ?3 for update skip locked))

-- name: sweep_pools
delete from slot_pool where namespace = ?1 and ctid = any (array(select p.ctid from slot_pool p
    where p.namespace = ?1 and p.format <= ?2 and not exists (
        select 1 from slot s where s.namespace = p.namespace and s.pool = p.pool and s.kind = p.kind)
    limit ?3 for update skip locked))

-- The commit of a batch. Each statement of this section is the body of a CTE of the same name, over arrays with an element
-- for every row; those a batch needs are put together to ONE statement, in ONE transaction, in one trip to the server:
--
--     with fence as (…), find_workflow as (…), [checks,] verdict as (…), [writes] select is there a fence, is there a verdict
--
-- "verdict" (namespace, shard_nos, places) has its one row only if all that was checked holds, and every write joins it: no
-- verdict, no row written. The store knows the numbers of its workflows and of their shards; where the row of a workflow itself
-- changes, it is known by its place in the batch, "ord", and places[ord] is where its row lies. Several shards of one namespace may
-- commit together, each under its own fence.
-- All parts see the same state and none sees what another has written, hence each row is written by one of them at most.
--
-- The plan of such a statement is made once, perhaps while the tables are empty, so it must not depend on what the planner
-- believes: of a table that it takes for empty it would read all of an index rather than look up ten keys. It runs with
-- sequential scans, hash and merge joins switched off, and a row is found in a subquery that has all columns of its key as
-- values, which "offset 0" keeps apart, or FOR UPDATE does. A row to be changed is found like that, too, and then taken from
-- its place (ctid): whoever could move it away meanwhile waits for the shard or for its workflow.

-- All fences, or none. For a start there is none: then the epoch is null.
-- name: fence
select f.namespace, array_agg(f.shard_no order by f.ord) as shard_nos
from (
    select s.namespace, s.shard_no, i.ord
    from unnest(?1::text[], ?2::text[], ?3::integer[], ?4::bigint[]) with ordinality
        as i (namespace, group_name, shard_number, epoch, ord)
    cross join lateral (
        select s.namespace, s.shard_no from shard s
        where s.namespace = i.namespace and s.group_name = i.group_name and s.shard_number = i.shard_number
            and (i.epoch is null or (s.epoch = i.epoch and s.owner is not null))
        for key share) s) f
group by f.namespace
having count(*) = cardinality(?3::integer[])

-- name: hold_fence
select shard_no from shard
where namespace = ?1 and group_name = ?2 and shard_number = ?3 and epoch = ?4 and owner is not null
for key share

-- The workflows of the batch whose own rows change, locked until the commit is over, then the new ones, whose ids must be free; and
-- those that must not be there. A row whose workflow is not yet at the version is not waited for.
-- name: find_workflow
select array_agg(w.place order by w.ord) as places,
    array_agg(w.semaphore order by w.ord) as semaphores, array_agg(w.threshold order by w.ord) as thresholds,
    array_agg(w.closed order by w.ord) as closed,
    count(*) = ?7::bigint and not exists (
        select from unnest(?8::text[], ?9::text[]) as i (namespace, workflow_id)
        where (select true from workflow w
            where w.workflow_id = i.workflow_id and w.namespace || '' = i.namespace)) as fits
from (
    select * from (
        select i.ord, w.*
        from fence f
        cross join unnest(?1::bigint[], ?2::bigint[], ?3::bigint[]) with ordinality
            as i (workflow_no, version, first_number, ord)
        cross join lateral (
            select w.ctid as place, w.semaphore, w.threshold, w.closed_by is not null as closed
            from workflow w
            where w.workflow_no = i.workflow_no
                and (i.first_number is null or i.first_number >= w.messages)
                and (select true from event e where e.workflow_no = w.workflow_no and e.number = i.version)
            for no key update) w) w
    union all
    select cardinality(?1::bigint[]) + i.ord, '(0,0)', i.semaphore, i.threshold, false
    from fence f
    cross join unnest(?4::text[], ?5::bigint[], ?6::bigint[]) with ordinality as i (workflow_id, semaphore, threshold, ord)
    where (select true from workflow w
        where w.workflow_id = i.workflow_id and w.namespace || '' = f.namespace) is null
) w

-- The events that the first new one of each workflow is appended after: one that is not there, or is another one, speaks against the
-- batch. The number of the last event is the version of a workflow, and the key of the table lets only one commit have the next number.
-- name: append_event_after
select from fence f
cross join unnest(?1::bigint[], ?2::bigint[], ?3::bytea[]) as i (workflow_no, version, chain)
where coalesce((select e.hash from event e where e.workflow_no = i.workflow_no and e.number = i.version), '') <> i.chain

-- The compound primitive, seen from its errors: the moves that lead below zero, and those that close, or do not close, what
-- was foreseen otherwise. The prefix sums start from what is stored. Each workflow has at most one move that is foreseen to
-- close it, so if there is no error before a move, its gate is open unless it was closed when stored or by that one.
-- name: move_semaphore
select from (
    select m.foreseen, f.thresholds[m.ord] as threshold,
        f.semaphores[m.ord] + sum(m.delta) over (partition by m.ord order by m.i) as after,
        f.closed[m.ord] or coalesce(bool_or(m.foreseen) over (partition by m.ord order by m.i
            rows between unbounded preceding and 1 preceding), false) as closed
    from find_workflow f
    cross join unnest(?1::integer[], ?2::bigint[], ?3::boolean[]) with ordinality as m (ord, delta, foreseen, i)
) m
where m.after < 0 or m.foreseen <> (not m.closed and m.after = m.threshold)

-- The messages that a bundle for inboxes alone takes: one that is gone speaks against the batch.
-- name: lies_in_inbox
select from (
    select count(*) as lying from (
        select from fence f
        cross join unnest(?1::bigint[]) as i (inbox_id)
        cross join lateral (
            select from inbox m
            where m.inbox_id = i.inbox_id and m.namespace = f.namespace and m.shard_no = any (f.shard_nos)
            for update) m) m
) m
where m.lying <> cardinality(?1::bigint[])

-- Signals that are accepted here, and may have been sent before: one that was accepted, or lies where the workflow's owner does
-- not see it, speaks against the batch.
-- name: signal_is_known
select from fence f
cross join unnest(?1::bigint[], ?2::bigint[], ?3::text[], ?4::text[], ?5::text[], ?6::uuid[])
    as i (workflow_no, shard_no, workflow_id, signal_name, signal_id, guid)
where (select true from signal_acceptance s where s.namespace = f.namespace and s.workflow_id = i.workflow_id
        and s.signal_name = i.signal_name and s.signal_id = i.signal_id)
    or (select true from message m where m.namespace = f.namespace and m.shard_no = i.shard_no
        and m.workflow_no = i.workflow_no and m.guid = i.guid limit 1)
    or (select true from inbox m where m.guid = i.guid and m.kind = 'SIGNAL' and m.namespace || '' = f.namespace limit 1)
    or (select true from given_up m where m.guid = i.guid and m.kind = 'SIGNAL' and m.namespace || '' = f.namespace limit 1)

-- Without ON CONFLICT: what was not there when the statement began and is there now ends it, and the batch is refused.
-- name: create_workflow
insert into workflow (namespace, workflow_no, workflow_id, shard_no, group_name, definition, definition_version,
    trigger_activity, threshold, parent_group, parent_namespace, parent_workflow_id, parent_activity, parent_address,
    parent_answer, parent_awaits, status, semaphore, closed_by, messages, input, output, reason, created_at, closed_at)
select v.namespace, i.workflow_no, i.workflow_id, i.shard_no, i.group_name, i.definition, i.definition_version,
    i.trigger_activity, i.threshold, i.parent_group, i.parent_namespace, i.parent_workflow_id, i.parent_activity,
    i.parent_address, i.parent_answer, i.parent_awaits, i.status, i.semaphore, i.closed_by, i.messages, i.input, i.output,
    i.reason, i.created_at, i.closed_at
from verdict v
cross join unnest(?1::bigint[], ?2::bigint[], ?3::text[], ?4::text[], ?5::text[], ?6::text[], ?7::text[], ?8::bigint[], ?9::text[],
        ?10::text[], ?11::text[], ?12::text[], ?13::text[], ?14::uuid[], ?15::boolean[], ?16::text[], ?17::bigint[],
        ?18::uuid[], ?19::bigint[], ?20::bytea[], ?21::bytea[], ?22::text[], ?23::bigint[], ?24::bigint[])
    as i (workflow_no, shard_no, workflow_id, group_name, definition, definition_version, trigger_activity, threshold, parent_group,
        parent_namespace, parent_workflow_id, parent_activity, parent_address, parent_answer, parent_awaits, status,
        semaphore, closed_by, messages, input, output, reason, created_at, closed_at)

-- What has changed of the rows of workflows that go on: the counter of messages, and the semaphore with its closer. A row that is
-- locked stays in its place, so it need not be searched for again.
-- name: commit_workflow
update workflow w set messages = coalesce(i.messages, w.messages),
    semaphore = w.semaphore + i.delta, closed_by = coalesce(w.closed_by, i.closer)
from (
    select v.places[i.ord] as place, i.*
    from verdict v
    cross join unnest(?1::integer[], ?2::bigint[], ?3::bigint[], ?4::uuid[]) as i (ord, messages, delta, closer)
    offset 0) i
where w.ctid = i.place

-- The same for those that end.
-- name: close_workflow
update workflow w set messages = coalesce(i.messages, w.messages),
    semaphore = w.semaphore + i.delta, closed_by = coalesce(w.closed_by, i.closer),
    status = i.status, output = i.output, reason = i.reason, closed_at = i.closed_at
from (
    select v.places[i.ord] as place, i.*
    from verdict v
    cross join unnest(?1::integer[], ?2::bigint[], ?3::bigint[], ?4::uuid[], ?5::text[], ?6::bytea[], ?7::text[], ?8::bigint[])
        as i (ord, messages, delta, closer, status, output, reason, closed_at)
    offset 0) i
where w.ctid = i.place

-- The same for those that are held, or go on again.
-- name: hold_workflow
update workflow w set messages = coalesce(i.messages, w.messages),
    semaphore = w.semaphore + i.delta, closed_by = coalesce(w.closed_by, i.closer), status = i.status, reason = i.reason
from (
    select v.places[i.ord] as place, i.*
    from verdict v
    cross join unnest(?1::integer[], ?2::bigint[], ?3::bigint[], ?4::uuid[], ?5::text[], ?6::text[])
        as i (ord, messages, delta, closer, status, reason)
    offset 0) i
where w.ctid = i.place

-- name: put_waiting
insert into waiting (workflow_no, address, activity, namespace, shard_no, waker, waker_name, due_at, attempt, task_input)
select i.workflow_no, i.address, i.activity, v.namespace, i.shard_no, i.waker, i.waker_name, i.due_at, i.attempt, i.task_input
from verdict v
cross join unnest(?1::bigint[], ?2::bigint[], ?3::text[], ?4::text[], ?5::text[], ?6::text[], ?7::bigint[], ?8::integer[],
        ?9::bytea[])
    as i (workflow_no, shard_no, address, activity, waker, waker_name, due_at, attempt, task_input)
on conflict (workflow_no, address, activity) do update set waker = excluded.waker, waker_name = excluded.waker_name,
    due_at = excluded.due_at, attempt = excluded.attempt, task_input = excluded.task_input

-- name: end_waiting
delete from waiting a
using (
    select (select a.ctid from waiting a where a.workflow_no = i.workflow_no and a.address = i.address
        and a.activity = i.activity) as place
    from verdict v
    cross join unnest(?1::bigint[], ?2::text[], ?3::text[]) as i (workflow_no, address, activity)
    offset 0) i
where a.ctid = i.place

-- Whatever workflows wait for that close.
-- name: end_all_waiting
delete from waiting a
using (
    select a.place
    from verdict v
    cross join unnest(?1::bigint[]) as i (workflow_no)
    cross join lateral (select a.ctid as place from waiting a where a.workflow_no = i.workflow_no offset 0) a
    offset 0) i
where a.ctid = i.place

-- The same primitive for a join; the first arrival makes it. Each arrival takes one away, so that the one that opens it is
-- as many arrivals away as the semaphore stands above its threshold; another one than foreseen makes it negative here.
-- name: move_join
insert into join_gate (namespace, workflow_no, address, activity, semaphore, threshold, closed_by)
select g.namespace, g.workflow_no, g.address, g.activity,
    case when g.opens is not distinct from g.foreseen then g.semaphore - g.arriving else -1 end, g.threshold,
    coalesce(g.closed_by, g.closer)
from (
    select v.namespace, i.workflow_no, i.address, i.activity, i.arriving, i.foreseen, i.closer,
        coalesce(g.semaphore, i.arrivals) as semaphore, coalesce(g.threshold, 0) as threshold, g.closed_by,
        case when g.closed_by is null
            and coalesce(g.semaphore, i.arrivals) - coalesce(g.threshold, 0) between 1 and i.arriving
        then coalesce(g.semaphore, i.arrivals) - coalesce(g.threshold, 0) end as opens
    from verdict v
    cross join unnest(?1::bigint[], ?2::text[], ?3::text[], ?4::bigint[], ?5::bigint[], ?6::bigint[], ?7::uuid[])
        as i (workflow_no, address, activity, arrivals, arriving, foreseen, closer)
    left join lateral (
        select g.semaphore, g.threshold, g.closed_by from join_gate g
        where g.namespace = v.namespace and g.workflow_no = i.workflow_no and g.address = i.address
            and g.activity = i.activity
        offset 0) g on true
) g
on conflict (namespace, workflow_no, address, activity) do update set
    semaphore = excluded.semaphore, closed_by = excluded.closed_by

-- name: queue_message
insert into message (namespace, shard_no, workflow_no, number, marks, kind, guid, activity, address, name, source, attempt,
    response, payload, details)
select v.namespace, i.shard_no, i.workflow_no, i.number, i.marks, i.kind, i.guid, i.activity, i.address, i.name,
    i.source, i.attempt, i.response, i.payload, i.details
from verdict v
cross join unnest(?1::bigint[], ?2::bigint[], ?3::bigint[], ?4::integer[], ?5::text[], ?6::uuid[], ?7::text[], ?8::text[],
        ?9::text[], ?10::text[], ?11::integer[], ?12::text[], ?13::bytea[], ?14::text[])
    as i (shard_no, workflow_no, number, marks, kind, guid, activity, address, name, source, attempt, response, payload, details)

-- name: acknowledge_message
delete from message m
using (
    select (select m.ctid from message m where m.namespace = v.namespace and m.shard_no = i.shard_no
        and m.workflow_no = i.workflow_no and m.number = i.number) as place
    from verdict v
    cross join unnest(?1::bigint[], ?2::bigint[], ?3::bigint[]) as i (shard_no, workflow_no, number)
    offset 0) i
where m.ctid = i.place

-- name: charge_message
update message m set marks = i.marks
from (
    select i.marks, (select m.ctid from message m where m.namespace = v.namespace and m.shard_no = i.shard_no
        and m.workflow_no = i.workflow_no and m.number = i.number) as place
    from verdict v
    cross join unnest(?1::bigint[], ?2::bigint[], ?3::bigint[], ?4::integer[]) as i (shard_no, workflow_no, number, marks)
    offset 0) i
where m.ctid = i.place

-- The row itself is deleted by acknowledge_message. A charge of the same batch counts.
-- name: give_up_message
insert into given_up (namespace, shard_no, workflow_id, place, place_no, reason, marks, kind, guid, activity, address,
    name, source, attempt, response, payload, details)
select m.namespace, m.shard_no, i.workflow_id, 'QUEUE', m.number, i.reason, coalesce(i.marks, m.marks), m.kind, m.guid,
    m.activity, m.address, m.name, m.source, m.attempt, m.response, m.payload, m.details
from verdict v
cross join unnest(?1::bigint[], ?2::bigint[], ?3::bigint[], ?4::text[], ?5::text[], ?6::integer[]) with ordinality
    as i (shard_no, workflow_no, number, workflow_id, reason, marks, i)
cross join lateral (
    select m.* from message m
    where m.namespace = v.namespace and m.shard_no = i.shard_no and m.workflow_no = i.workflow_no
        and m.number = i.number
    offset 0) m
order by i.i

-- name: append_event
insert into event (workflow_no, number, hash, signal_guid, body, payloads)
select i.workflow_no, i.number, i.hash, i.signal_guid, i.body, i.payloads
from verdict v
cross join unnest(?1::bigint[], ?2::bigint[], ?3::bytea[], ?4::uuid[], ?5::text[], ?6::bytea[])
    as i (workflow_no, number, hash, signal_guid, body, payloads)

-- When it was first declared stays as it was.
-- name: put_effect
insert into effect (namespace, workflow_no, operation_id, activity_name, idempotency_key, status, result, error,
    created_at, updated_at)
select v.namespace, i.workflow_no, i.operation_id, i.activity_name, i.idempotency_key, i.status, i.result, i.error,
    i.created_at, i.updated_at
from verdict v
cross join unnest(?1::bigint[], ?2::text[], ?3::text[], ?4::text[], ?5::text[], ?6::bytea[], ?7::bytea[], ?8::bigint[],
    ?9::bigint[]) as i (workflow_no, operation_id, activity_name, idempotency_key, status, result, error, created_at, updated_at)
on conflict (namespace, workflow_no, operation_id, activity_name, idempotency_key) do update set
    status = excluded.status, result = excluded.result, error = excluded.error, updated_at = excluded.updated_at

-- name: put_attribute
insert into attribute (namespace, workflow_no, memo, name, type, text_value, number_value, memo_value, created_at)
select v.namespace, i.workflow_no, i.memo, i.name, i.type, i.text_value, i.number_value, i.memo_value, i.created_at
from verdict v
cross join unnest(?1::bigint[], ?2::boolean[], ?3::text[], ?4::text[], ?5::text[], ?6::bigint[], ?7::bytea[], ?8::bigint[])
    as i (workflow_no, memo, name, type, text_value, number_value, memo_value, created_at)
on conflict (namespace, workflow_no, memo, name) do update set
    type = excluded.type, text_value = excluded.text_value, number_value = excluded.number_value,
    memo_value = excluded.memo_value

-- name: remove_attribute
delete from attribute a
using (
    select (select a.ctid from attribute a where a.namespace = v.namespace and a.workflow_no = i.workflow_no
        and a.memo = i.memo and a.name = i.name) as place
    from verdict v
    cross join unnest(?1::bigint[], ?2::boolean[], ?3::text[]) as i (workflow_no, memo, name)
    offset 0) i
where a.ctid = i.place

-- Without ON CONFLICT, too: if the same signal is being accepted elsewhere, this waits for the outcome.
-- name: accept_in_commit
insert into signal_acceptance (namespace, workflow_id, signal_name, signal_id, guid, accepted_at, expires_at)
select v.namespace, i.workflow_id, i.signal_name, i.signal_id, i.guid, i.accepted_at, i.expires_at
from verdict v
cross join unnest(?1::text[], ?2::text[], ?3::text[], ?4::uuid[], ?5::bigint[], ?6::bigint[])
    as i (workflow_id, signal_name, signal_id, guid, accepted_at, expires_at)

-- name: post_message
insert into inbox (namespace, shard_no, workflow_id, kind, guid, activity, address, name, source, attempt, response,
    payload, details)
select i.namespace, i.shard_no, i.workflow_id, i.kind, i.guid, i.activity, i.address, i.name, i.source, i.attempt,
    i.response, i.payload, i.details
from verdict v
cross join unnest(?1::text[], ?2::bigint[], ?3::text[], ?4::text[], ?5::uuid[], ?6::text[], ?7::text[], ?8::text[],
        ?9::text[], ?10::integer[], ?11::text[], ?12::bytea[], ?13::text[]) with ordinality
    as i (namespace, shard_no, workflow_id, kind, guid, activity, address, name, source, attempt, response, payload,
        details, i)
order by i.i

-- name: take_from_inbox
delete from inbox m
using (
    select (select m.ctid from inbox m
        where m.inbox_id = i.inbox_id and m.namespace = v.namespace and m.shard_no = any (v.shard_nos)) as place
    from verdict v
    cross join unnest(?1::bigint[]) as i (inbox_id)
    offset 0) i
where m.ctid = i.place

-- name: charge_in_inbox
update inbox m set marks = i.marks
from (
    select i.marks, (select m.ctid from inbox m
        where m.inbox_id = i.inbox_id and m.namespace = v.namespace and m.shard_no = any (v.shard_nos)) as place
    from verdict v
    cross join unnest(?1::bigint[], ?2::integer[]) as i (inbox_id, marks)
    offset 0) i
where m.ctid = i.place

-- The row itself is deleted by take_from_inbox. A charge of the same batch counts.
-- name: give_up_in_inbox
insert into given_up (namespace, shard_no, workflow_id, place, place_no, reason, marks, kind, guid, activity, address,
    name, source, attempt, response, payload, details)
select m.namespace, m.shard_no, m.workflow_id, 'INBOX', m.inbox_id, i.reason, coalesce(i.marks, m.marks), m.kind, m.guid,
    m.activity, m.address, m.name, m.source, m.attempt, m.response, m.payload, m.details
from verdict v
cross join unnest(?1::bigint[], ?2::text[], ?3::integer[]) with ordinality as i (inbox_id, reason, marks, i)
cross join lateral (
    select m.* from inbox m
    where m.inbox_id = i.inbox_id and m.namespace = v.namespace and m.shard_no = any (v.shard_nos)
    offset 0) m
order by i.i

-- Where the rows of some workflows are: ?2 is a list of their ids, as JSON.
-- name: locate_workflows
select w.workflow_id, w.workflow_no, w.shard_no
from json_array_elements_text(?2::json) as i (workflow_id)
cross join lateral (
    select w.workflow_id, w.workflow_no, w.shard_no from workflow w
    where w.workflow_id = i.workflow_id and w.namespace || '' = ?1
    offset 0) w

-- Numbers for new workflows.
-- name: draw_numbers
select nextval('workflow_number') from generate_series(1, ?1)

-- One message from outside a commit.
-- name: leave_message
insert into inbox (namespace, shard_no, workflow_id, kind, guid, activity, address, name, source, attempt, response,
    payload, details)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)

-- Signals.

-- The workflow cannot close before this transaction ends: the commit that closes it waits for its row.
-- name: lock_for_signal
select workflow_no, shard_no, group_name, closed_by from workflow where workflow_id = ?2 and namespace || '' = ?1
for share

-- name: find_acceptance
select guid, accepted_at, expires_at from signal_acceptance
where namespace = ?1 and workflow_id = ?2 and signal_name = ?3 and signal_id = ?4

-- An answer that has expired makes room for the next; one that has not stays, and no row is written. If the same signal is
-- being accepted elsewhere, this waits for the outcome.
-- name: accept_signal
insert into signal_acceptance (namespace, workflow_id, signal_name, signal_id, guid, accepted_at, expires_at)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7)
on conflict (namespace, workflow_id, signal_name, signal_id) do update
    set accepted_at = excluded.accepted_at, expires_at = excluded.expires_at
    where signal_acceptance.expires_at <= excluded.accepted_at

-- Kept or applied, on its way, or given up.
-- name: signal_is_there
select exists (select 1 from event where signal_guid = ?3 and workflow_no = ?2)
    or exists (select 1 from message where namespace = ?1 and shard_no = ?4 and workflow_no = ?2 and guid = ?3)
    or exists (select 1 from inbox where guid = ?3 and kind = 'SIGNAL' and namespace = ?1)
    or exists (select 1 from given_up where guid = ?3 and kind = 'SIGNAL' and namespace = ?1)

-- Reads of the engine.

-- name: load_workflow
select {workflow_columns}
from workflow w
where w.workflow_id = ?2 and w.namespace || '' = ?1

-- name: load_events
select number, hash, body, payloads from event where workflow_no = ?1 order by number

-- The events that tell of one activity, if one of them comes after a number: ?4 is how its key is spelled in a body.
-- name: load_activity
select w.input, w.output, e.number, e.hash, e.body, e.payloads
from workflow w
cross join lateral (
    select e.* from event e where e.workflow_no = w.workflow_no and strpos(e.body, ?4) > 0 offset 0) e
where w.workflow_id = ?2 and w.namespace || '' = ?1
    and (select true from event l where l.workflow_no = w.workflow_no and l.number > ?3 and strpos(l.body, ?4) > 0 limit 1)
order by e.number

-- The same for many of them: ?2 lists their ids, and then their numbers.
-- name: load_workflows
select {workflow_columns}
from json_array_elements_text(?2::json) as i (workflow_id)
cross join lateral (
    select w.* from workflow w where w.workflow_id = i.workflow_id and w.namespace || '' = ?1 offset 0) w

-- name: load_events_of
select e.workflow_no, e.number, e.hash, e.body, e.payloads
from json_array_elements_text(?1::json) as i (workflow_no)
cross join lateral (select e.* from event e where e.workflow_no = i.workflow_no::bigint offset 0) e
order by e.workflow_no, e.number

-- name: load_joins_of
select g.workflow_no, g.address, g.activity, g.semaphore, g.threshold, g.closed_by
from json_array_elements_text(?2::json) as i (workflow_no)
cross join lateral (
    select g.* from join_gate g where g.namespace = ?1 and g.workflow_no = i.workflow_no::bigint offset 0) g

-- What the activities of one workflow wait for, where that has rows.
-- name: waiting
select {waiting_columns}
from workflow w
cross join lateral (select a.* from waiting a where a.workflow_no = w.workflow_no offset 0) a
where w.workflow_id = ?2 and w.namespace || '' = ?1 order by a.address, a.activity

-- name: workflow_number
select workflow_no from workflow where workflow_id = ?2 and namespace || '' = ?1

-- name: existing_workflows
select i.workflow_id from json_array_elements_text(?2::json) as i (workflow_id)
where (select true from workflow w where w.workflow_id = i.workflow_id and w.namespace || '' = ?1)

-- name: home_of_workflow
select s.group_name, s.shard_number from workflow w join shard s on s.namespace = w.namespace and s.shard_no = w.shard_no
where w.workflow_id = ?2 and w.namespace || '' = ?1

-- name: find_in_inbox
select inbox_id from inbox where inbox_id = ?3 and namespace = ?1 and shard_no = ?2

-- Others than the owner write here, and they may be newer: what only they know stays for an owner that knows it, too.
-- name: inbox
select inbox_id, workflow_id, marks, kind, guid, activity, address, name, source, attempt, response, payload, details
from inbox
where namespace = ?1 and shard_no = ?2 and kind in ('START', 'ENTER', 'REENTER', 'RESPOND', 'SIGNAL', 'INTERRUPT')
order by inbox_id limit ?3

-- name: queue
select w.workflow_id, m.number, m.marks, m.kind, m.guid, m.activity, m.address, m.name, m.source, m.attempt, m.response,
    m.payload, m.details
from message m
cross join lateral (
    select w.workflow_id from workflow w
    where w.workflow_no = m.workflow_no offset 0) w
where m.namespace = ?1 and m.shard_no = ?2 and (m.workflow_no, m.number) > (?3, ?4)
order by m.workflow_no, m.number limit ?5

-- name: due
select {waiting_columns}
from waiting a
cross join lateral (select w.workflow_id from workflow w where w.workflow_no = a.workflow_no offset 0) w
where a.shard_no = ?1 and a.due_at <= ?2
order by a.due_at limit ?3

-- name: next_due
select due_at from waiting where shard_no = ?1 and due_at is not null order by due_at limit 1

-- name: tasks
select {waiting_columns}
from waiting a
cross join lateral (select w.workflow_id from workflow w where w.workflow_no = a.workflow_no offset 0) w
where a.shard_no = ?1 and a.due_at is not null and a.waker = 'TASK'
    and (a.due_at, a.workflow_no, a.address, a.activity) > (?2, ?3, ?4, ?5)
order by a.due_at, a.workflow_no, a.address, a.activity limit ?6

-- name: awake
select {waiting_columns}
from waiting a
cross join lateral (select w.workflow_id from workflow w where w.workflow_no = a.workflow_no offset 0) w
where a.shard_no = ?1 and a.waker = 'AWAKE' and (a.workflow_no, a.address, a.activity) > (?2, ?3, ?4)
order by a.workflow_no, a.address, a.activity limit ?5

-- Reads of the outside.

-- A filter that is not asked for is null; of what type it would be, the server cannot guess. The next page begins in the
-- index where the last one ended.
-- name: workflows
select {workflow_columns}
from workflow w
where w.namespace = ?1 and w.format >= 1
    {workflow_filter}
    and w.created_at <= coalesce(?7::bigint, 9223372036854775807)
    and (?7::bigint is null or w.created_at < ?7::bigint or w.workflow_id > ?8::text)
order by w.created_at desc, w.workflow_id limit ?9

-- The same by attributes. ?10 holds all that is asked of them, as JSON: a list of names, each with a type and with ranges, one of
-- which it must be in. One of them, ?11 and ?12, leads: it is looked up in its index, the others in what that one finds.
-- Along the workflows, where nothing better leads: for attributes that are only to be there.
-- name: workflows_by_attributes
select {workflow_columns}
from workflow w
where w.namespace = ?1 and w.format >= 1
    {workflow_filter}
    and w.created_at <= coalesce(?7::bigint, 9223372036854775807)
    and (?7::bigint is null or w.created_at < ?7::bigint or w.workflow_id > ?8::text)
    {attribute_filter}
order by w.created_at desc, w.workflow_id limit ?9

-- By one text, newest first as the index has them.
-- name: workflows_by_text
select {workflow_columns}
from attribute l
cross join lateral (
    select w.* from workflow w where w.workflow_no = l.workflow_no offset 0) w
where l.namespace = ?1 and l.name = ?11::text and l.type = 'TEXT' and l.text_value = ?12::text
    and l.created_at >= coalesce(?5::bigint, -9223372036854775808)
    and l.created_at <= coalesce(?7::bigint, ?6::bigint, 9223372036854775807)
    {workflow_filter}
    and (?7::bigint is null or w.created_at < ?7::bigint or w.workflow_id > ?8::text)
    {attribute_filter}
order by l.created_at desc, w.workflow_id limit ?9

-- By one number, truth or time, each told from the others by its type.
-- name: workflows_by_number
select {workflow_columns}
from attribute l
cross join lateral (
    select w.* from workflow w where w.workflow_no = l.workflow_no offset 0) w
where l.namespace = ?1 and l.name = ?11::text and l.type = ?13::text and l.number_value = ?12::bigint
    and l.created_at >= coalesce(?5::bigint, -9223372036854775808)
    and l.created_at <= coalesce(?7::bigint, ?6::bigint, 9223372036854775807)
    {workflow_filter}
    and (?7::bigint is null or w.created_at < ?7::bigint or w.workflow_id > ?8::text)
    {attribute_filter}
order by l.created_at desc, w.workflow_id limit ?9

-- By ranges of texts; in the order of the index they are not newest first, so they are put in order.
-- name: workflows_by_texts
select {workflow_columns}
from (select distinct l.namespace, l.workflow_no from json_array_elements(?12::json) r cross join lateral (
    select l.namespace, l.workflow_no from attribute l
    where l.namespace = ?1 and l.name = ?11::text and l.type = 'TEXT'
        and l.text_value >= r ->> 'from' and l.text_value <= r ->> 'to'
        and l.created_at <= coalesce(?7::bigint, 9223372036854775807) offset 0) l) l
cross join lateral (
    select w.* from workflow w where w.workflow_no = l.workflow_no offset 0) w
where l.namespace = ?1
    {workflow_filter}
    and w.created_at <= coalesce(?7::bigint, 9223372036854775807)
    and (?7::bigint is null or w.created_at < ?7::bigint or w.workflow_id > ?8::text)
    {attribute_filter}
order by w.created_at desc, w.workflow_id limit ?9

-- name: workflows_by_numbers
select {workflow_columns}
from (select distinct l.namespace, l.workflow_no from json_array_elements(?12::json) r cross join lateral (
    select l.namespace, l.workflow_no from attribute l
    where l.namespace = ?1 and l.name = ?11::text and l.type = ?13::text
        and l.number_value >= (r ->> 'from')::bigint and l.number_value <= (r ->> 'to')::bigint
        and l.created_at <= coalesce(?7::bigint, 9223372036854775807) offset 0) l) l
cross join lateral (
    select w.* from workflow w where w.workflow_no = l.workflow_no offset 0) w
where l.namespace = ?1
    {workflow_filter}
    and w.created_at <= coalesce(?7::bigint, 9223372036854775807)
    and (?7::bigint is null or w.created_at < ?7::bigint or w.workflow_id > ?8::text)
    {attribute_filter}
order by w.created_at desc, w.workflow_id limit ?9

-- name: attributes
select t.memo, t.name, t.type, t.text_value, t.number_value, t.memo_value
from workflow w cross join lateral (
    select t.* from attribute t where t.namespace = w.namespace and t.workflow_no = w.workflow_no offset 0) t
where w.workflow_id = ?2 and w.namespace || '' = ?1 order by t.memo, t.name

-- name: hooked
select distinct w.workflow_id, w.group_name
from waiting a
cross join lateral (
    select w.workflow_id, w.group_name from workflow w where w.workflow_no = a.workflow_no offset 0) w
where a.namespace = ?1 and a.waker = 'HOOK' and left(a.waker_name, 200) = left(?2::text, 200)
    and a.waker_name = ?2::text and w.workflow_id > ?3
order by w.workflow_id limit ?4

-- name: given_up
select g.given_up_id, s.group_name, s.shard_number, g.workflow_id, g.place, g.place_no, g.reason, g.marks, g.kind, g.guid,
    g.activity, g.address, g.name, g.source, g.attempt, g.response, g.payload, g.details
from given_up g join shard s on s.namespace = g.namespace and s.shard_no = g.shard_no
where g.namespace = ?1 and g.given_up_id > ?2 order by g.given_up_id limit ?3

-- name: events
select e.number, e.hash, e.body, e.payloads
from event e join workflow w on w.workflow_no = e.workflow_no
where w.workflow_id = ?2 and w.namespace || '' = ?1 and e.number > ?3 order by e.number limit ?4

-- name: effects
select e.operation_id, e.activity_name, e.idempotency_key, e.status, e.result, e.error, e.created_at, e.updated_at, e.format
from effect e join workflow w on w.workflow_no = e.workflow_no
where w.workflow_id = ?2 and w.namespace || '' = ?1 order by e.operation_id, e.activity_name, e.idempotency_key

-- Decisions.

-- name: find_decision
select case_id, decision, subject, note, decided_at, arguments from decision
where namespace = ?1 and workflow_id = ?2 and case_id = ?3

-- name: decisions
select case_id, decision, subject, note, decided_at, arguments from decision
where namespace = ?1 and workflow_id = ?2 order by decided_at, case_id

-- Whoever inserts it has decided; everybody else reads it.
-- name: record_decision
insert into decision (namespace, workflow_id, case_id, workflow_no, decision, subject, note, decided_at, arguments)
values (?1, ?2, ?3, (select w.workflow_no from workflow w where w.workflow_id = ?2 and w.namespace || '' = ?1), ?4, ?5, ?6, ?7, ?8)
on conflict (namespace, workflow_id, case_id) do nothing

-- name: find_given_up
select s.group_name, s.shard_number
from given_up g join shard s on s.namespace = g.namespace and s.shard_no = g.shard_no
where g.given_up_id = ?2 and g.namespace = ?1

-- With its first entry charged, like any message that comes from outside.
-- name: put_back
insert into inbox (namespace, shard_no, workflow_id, kind, guid, activity, address, name, source, attempt, response,
    payload, details)
select namespace, shard_no, workflow_id, kind, guid, activity, address, name, source, attempt, response, payload, details
from given_up where given_up_id = ?2 and namespace = ?1

-- name: forget_given_up
delete from given_up where given_up_id = ?2 and namespace = ?1

-- name: awaiting
select {waiting_columns}
from waiting a
cross join lateral (select w.workflow_id from workflow w where w.workflow_no = a.workflow_no offset 0) w
where a.namespace = ?1 and a.waker = 'HOOK' and left(a.waker_name, 200) >= ?2::text and left(a.waker_name, 200) < ?3::text
    and (w.workflow_id > ?4::text or (w.workflow_id = ?4::text and a.activity > ?5::text))
order by w.workflow_id, a.activity limit ?6

-- Along the index of the code that has to run: what is parked is among it, and it is never much.
-- name: parked
select {workflow_columns}
from waiting f
cross join lateral (
    select w.* from workflow w where w.workflow_no = f.workflow_no and w.status = 'PARKED' offset 0) w
where f.namespace = ?1 and f.waker = 'AWAKE' and w.workflow_id > ?2
order by w.workflow_id limit ?3

-- Along the index of what is not known. What is under way is among it, and no more than that.
-- name: unknown_effects
select w.workflow_id, e.workflow_no, e.operation_id, e.activity_name, e.idempotency_key, e.status, e.result, e.error,
    e.created_at, e.updated_at, e.format
from effect e
cross join lateral (
    select w.workflow_id from workflow w
    where w.workflow_no = e.workflow_no and w.closed_at is not null offset 0) w
where e.namespace = ?1 and e.status = 'indeterminate'
    and (e.workflow_no, e.operation_id, e.activity_name, e.idempotency_key) > (?2, ?3::text, ?4::text, ?5::text)
order by e.workflow_no, e.operation_id, e.activity_name, e.idempotency_key limit ?6

-- Retention.

-- Oldest first, along the index on created_at: what was closed before a time was created before it, too (or, where clocks
-- disagree, goes a little later). A message on its way to a workflow, or an answer that somebody may still ask for, keeps it.
-- What a newer engine has written is left to that one. A status without a cut-off has none to be older than.
-- name: sweepable_workflows
select w.workflow_no from workflow w
where w.namespace = ?1 and w.format >= 1 and w.created_at < ?6
    and w.closed_at < (?2::json ->> w.status)::bigint and w.format <= ?4
    and (select true from message m
        where m.namespace = w.namespace and m.shard_no = w.shard_no and m.workflow_no = w.workflow_no limit 1) is null
    and w.workflow_id not in (select i.workflow_id from inbox i where i.namespace = ?1)
    and (select true from signal_acceptance s where s.namespace = w.namespace and s.workflow_id = w.workflow_id
        and (s.expires_at > ?3 or s.format > ?4) limit 1) is null
order by w.created_at, w.workflow_id limit ?5

-- Whoever commits or signals to one of them waits from here on, and finds it gone. In the order of their numbers, so that two
-- who sweep do not wait for each other.
-- name: lock_for_sweep
select workflow_no from workflow
where namespace = ?1 and workflow_no = any (array(select json_array_elements_text(?2::json)::bigint))
    and closed_at < (?3::json ->> status)::bigint and format <= ?4
order by workflow_no for update

-- name: sweepable_of
select w.workflow_no from workflow w
where w.namespace = ?1 and w.workflow_no = any (array(select json_array_elements_text(?2::json)::bigint))
    and (select true from message m
        where m.namespace = w.namespace and m.shard_no = w.shard_no and m.workflow_no = w.workflow_no limit 1) is null
    and w.workflow_id not in (select i.workflow_id from inbox i where i.namespace = ?1)
    and (select true from signal_acceptance s where s.namespace = w.namespace and s.workflow_id = w.workflow_id
        and s.expires_at > ?3 limit 1) is null

-- name: bytes_of
select (select coalesce(sum(octet_length(body) + coalesce(octet_length(payloads), 0)), 0) from event
        where workflow_no = any (array(select json_array_elements_text(?2::json)::bigint)))
    + (select coalesce(sum(octet_length(input) + octet_length(output)), 0) from workflow
        where namespace = ?1 and workflow_no = any (array(select json_array_elements_text(?2::json)::bigint)))

-- name: sweep_events
delete from event where workflow_no = any (array(select json_array_elements_text(?1::json)::bigint))

-- name: sweep_waiting
delete from waiting where workflow_no = any (array(select json_array_elements_text(?1::json)::bigint))

-- name: sweep_joins
delete from join_gate
where namespace = ?1 and workflow_no = any (array(select json_array_elements_text(?2::json)::bigint))

-- name: sweep_effects
delete from effect
where namespace = ?1 and workflow_no = any (array(select json_array_elements_text(?2::json)::bigint))

-- name: sweep_attributes
delete from attribute
where namespace = ?1 and workflow_no = any (array(select json_array_elements_text(?2::json)::bigint))

-- name: sweep_acceptances
delete from signal_acceptance where namespace = ?1 and workflow_id = any (array(select w.workflow_id from workflow w
    where w.namespace = ?1 and w.workflow_no = any (array(select json_array_elements_text(?2::json)::bigint))))

-- name: sweep_decisions
delete from decision where namespace = ?1 and workflow_no = any (array(select json_array_elements_text(?2::json)::bigint))

-- Decisions about what never was a workflow.
-- name: sweep_lone_decisions
delete from decision where namespace = ?1 and workflow_no is null and ctid = any (array(select d.ctid from decision d
    where d.workflow_no is null and d.namespace = ?1 and d.decided_at < ?2 and d.format <= ?3 limit ?4))

-- name: sweep_workflows
delete from workflow
where namespace = ?1 and workflow_no = any (array(select json_array_elements_text(?2::json)::bigint))

-- They are looked for once and deleted where they were found: "in (select …)" would look for them once for every row. One
-- that is accepted anew meanwhile has not expired any more.
-- name: sweep_expired_acceptances
delete from signal_acceptance
where namespace = ?1 and expires_at <= ?2 and ctid = any (array(
    select s.ctid from signal_acceptance s
    where s.namespace = ?1 and s.expires_at <= ?2 and s.format <= ?3
        and (select true from workflow w
            where w.workflow_id = s.workflow_id and w.namespace || '' = s.namespace and w.closed_by is null) is null
    limit ?4))

-- name: count_sweepable
with over (workflow_no) as materialized (
    select w.workflow_no from workflow w
    where w.namespace = ?1 and w.format >= 1 and w.created_at < ?5
        and w.closed_at < (?2::json ->> w.status)::bigint and w.format <= ?4
        and (select true from message m where m.namespace = w.namespace and m.shard_no = w.shard_no
            and m.workflow_no = w.workflow_no limit 1) is null
        and w.workflow_id not in (select i.workflow_id from inbox i where i.namespace = ?1)
        and (select true from signal_acceptance s where s.namespace = w.namespace and s.workflow_id = w.workflow_id
            and (s.expires_at > ?3 or s.format > ?4) limit 1) is null)
select (select count(*) from over) as workflows,
    (select coalesce(sum((select count(*) from event e where e.workflow_no = o.workflow_no)), 0)
        from over o)::bigint as events,
    (select count(*) from signal_acceptance s
        where s.namespace = ?1 and s.expires_at <= ?3 and s.format <= ?4
            and (select true from workflow w where w.workflow_id = s.workflow_id and w.namespace || '' = s.namespace
                and w.closed_by is null) is null) as acceptances,
    (select coalesce(sum(octet_length(body) + coalesce(octet_length(payloads), 0)), 0) from event
        where workflow_no = any (array(select workflow_no from over)))
    + (select coalesce(sum(octet_length(input) + octet_length(output)), 0) from workflow
        where namespace = ?1 and workflow_no = any (array(select workflow_no from over))) as bytes

-- What belongs to a workflow that is not there. A table with rows of workflows must stand here; a test looks for that.
-- name: orphans
select 'waiting', count(*) from waiting where namespace = ?1
    and workflow_no not in (select workflow_no from workflow where namespace = ?1)
union all select 'join_gate', count(*) from join_gate where namespace = ?1
    and workflow_no not in (select workflow_no from workflow where namespace = ?1)
union all select 'message', count(*) from message where namespace = ?1
    and workflow_no not in (select workflow_no from workflow where namespace = ?1)
union all select 'event', count(*) from event where workflow_no not in (select workflow_no from workflow)
union all select 'effect', count(*) from effect where namespace = ?1
    and workflow_no not in (select workflow_no from workflow where namespace = ?1)
union all select 'attribute', count(*) from attribute where namespace = ?1
    and workflow_no not in (select workflow_no from workflow where namespace = ?1)
union all select 'decision', count(*) from decision where namespace = ?1 and workflow_no is not null
    and workflow_no not in (select workflow_no from workflow where namespace = ?1)
union all select 'signal_acceptance', count(*) from signal_acceptance where namespace = ?1
    and workflow_id not in (select workflow_id from workflow where namespace = ?1)

-- Formats.

-- name: engine_format_min
select engine_format_min from store_format where singleton = 1

-- name: schema_version
select max(version::integer) from pawl_history where success
