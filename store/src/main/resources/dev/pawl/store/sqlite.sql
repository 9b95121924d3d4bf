-- The statements of the SQLite store. All writes run on one connection, in one thread, many calls in one transaction, so
-- what a statement reads is what the next one writes to. Parameters stand in the same order as in postgres.sql.

-- Parts that several statements share: {name} stands for them.

-- part: workflow_columns
w.workflow_no, w.workflow_id, w.group_name, w.definition, w.definition_version, w.trigger_activity, w.threshold,
    w.parent_group, w.parent_namespace, w.parent_workflow_id, w.parent_activity, w.parent_address, w.parent_answer,
    w.parent_awaits, w.status, w.semaphore, w.closed_by, w.messages, w.input, w.output, w.reason, w.created_at, w.closed_at,
    (select max(e.number) from event e where e.workflow_no = w.workflow_no) as version,
    (select e.hash from event e where e.workflow_no = w.workflow_no order by e.number desc limit 1) as chain

-- part: workflow_filter
and (?2 is null or w.definition = ?2)
    and (?3 is null or w.status = ?3)
    and (?4 is null or (w.workflow_id >= ?4 and substr(w.workflow_id, 1, length(?4)) = ?4))
    and (?5 is null or w.created_at >= ?5)
    and (?6 is null or w.created_at < ?6)
    and (?7 is null or w.created_at < ?7 or (w.created_at = ?7 and w.workflow_id > ?8))

-- All that is asked of attributes, as JSON: a list of names, each with a type and with ranges, one of which it must be in.
-- part: attribute_filter
and not exists (select 1 from json_each(?10) c where not exists (
        select 1 from attribute t
        where t.namespace = w.namespace and t.workflow_no = w.workflow_no and t.memo = 0 and t.name = c.value ->> 'name'
            and (c.value ->> 'type' is null or (t.type = c.value ->> 'type' and exists (
                select 1 from json_each(c.value, '$.ranges') r
                where coalesce(t.number_value, t.text_value) >= r.value ->> 'from'
                    and coalesce(t.number_value, t.text_value) <= r.value ->> 'to')))))

-- part: waiting_columns
w.workflow_id, a.address, a.activity, a.waker, a.waker_name, a.due_at, a.attempt, a.task_input

-- Ownership. The clock is the database's: engines with wrong clocks still agree.

-- name: count_shards
select count(*) from shard where namespace = ?1 and group_name = ?2

-- name: create_shard
insert into shard (namespace, group_name, shard_number, shard_no)
values (?1, ?2, ?3, (select coalesce(max(shard_no), 0) + 1 from shard))

-- name: shards_of_group
select shard_number, shard_no from shard where namespace = ?1 and group_name = ?2 order by shard_number

-- name: leases
select shard_number, owner, epoch, expires_at, ttl_millis, format, owner is not null and expires_at > cast(unixepoch('subsec') * 1000 as integer) as live
from shard where namespace = ?1 and group_name = ?2 order by shard_number

-- name: lock_shard
select owner, epoch, expires_at, format, owner is not null and expires_at > cast(unixepoch('subsec') * 1000 as integer) as live
from shard where namespace = ?1 and group_name = ?2 and shard_number = ?3

-- One writer: no transaction of the owner's can be under way.
-- name: lock_free_shard
select owner, epoch, expires_at, format, owner is not null and expires_at > cast(unixepoch('subsec') * 1000 as integer) as live
from shard where namespace = ?1 and group_name = ?2 and shard_number = ?3

-- name: shard_epoch
select epoch, owner is not null as held from shard where namespace = ?1 and group_name = ?2 and shard_number = ?3

-- name: own_shard
update shard set owner = ?4, epoch = ?5, expires_at = cast(unixepoch('subsec') * 1000 as integer) + ?6, ttl_millis = ?6, format = ?7
where namespace = ?1 and group_name = ?2 and shard_number = ?3
returning expires_at

-- What was abandoned stays so.
-- name: renew_shards
update shard set expires_at = cast(unixepoch('subsec') * 1000 as integer) + ?4, ttl_millis = ?4
where namespace = ?1 and group_name = ?2 and owner = ?3 and expires_at > 0

-- name: release_shard
update shard set owner = null, expires_at = null
where namespace = ?1 and group_name = ?2 and shard_number = ?3 and epoch = ?4

-- name: abandon_shard
update shard set expires_at = 0
where namespace = ?1 and group_name = ?2 and shard_number = ?3 and epoch = ?4 and owner is not null

-- name: renew_engine
insert into engine (namespace, group_name, owner, expires_at, ttl_millis, shares)
values (?1, ?2, ?3, cast(unixepoch('subsec') * 1000 as integer) + ?4, ?4, ?5)
on conflict (namespace, group_name, owner) do update set expires_at = excluded.expires_at,
    ttl_millis = excluded.ttl_millis, shares = excluded.shares

-- name: engines
select owner, expires_at, ttl_millis, shares, expires_at > cast(unixepoch('subsec') * 1000 as integer) as live
from engine where namespace = ?1 and group_name = ?2 order by owner

-- name: depart_engine
delete from engine where namespace = ?1 and group_name = ?2 and owner = ?3

-- name: forget_engine
delete from engine where namespace = ?1 and group_name = ?2 and owner = ?3 and expires_at = ?4

-- Slots. Whoever asks for some holds the row of the pool first, so that nobody else counts meanwhile.

-- name: lock_pool
select slots_max, lasts_millis,
    case when next_until > cast(unixepoch('subsec') * 1000 as integer) then next_process end as next_process,
    next_until - cast(unixepoch('subsec') * 1000 as integer) as next_for
from slot_pool where namespace = ?1 and pool = ?2 and kind = ?3

-- name: put_pool
insert into slot_pool (namespace, pool, kind, slots_max, lasts_millis) values (?1, ?2, ?3, ?4, ?5)
on conflict (namespace, pool, kind) do update set slots_max = excluded.slots_max, lasts_millis = excluded.lasts_millis

-- Who got no slot is the next to get one; nobody else is if the process is null.
-- name: next_in_pool
update slot_pool set next_process = ?4,
    next_until = case when ?4 is not null then cast(unixepoch('subsec') * 1000 as integer) + ?5 end
where namespace = ?1 and pool = ?2 and kind = ?3

-- name: forget_slots
delete from slot where namespace = ?1 and pool = ?2 and kind = ?3
    and (expires_at <= cast(unixepoch('subsec') * 1000 as integer)
        or holder in (select json_extract(value, '$.holder') from json_each(?4)))

-- Those that have run out were deleted before: one that is still there may have been prolonged just now.
-- name: count_slots
select count(*) as held, count(*) filter (where process <> ?4) as held_elsewhere,
    min(expires_at) - cast(unixepoch('subsec') * 1000 as integer) as next_in
from slot where namespace = ?1 and pool = ?2 and kind = ?3

-- name: take_slot
insert into slot (namespace, pool, kind, holder, process, fair_key, expires_at)
values (?1, ?2, ?3, ?4, ?5, ?6, cast(unixepoch('subsec') * 1000 as integer) + ?7)

-- name: renew_slots
update slot set expires_at = cast(unixepoch('subsec') * 1000 as integer) + ?3
where namespace = ?1 and kind = 'CONCURRENT' and expires_at > cast(unixepoch('subsec') * 1000 as integer)
    and (pool, holder) in (select json_extract(value, '$.pool'), json_extract(value, '$.holder') from json_each(?2))
returning pool, holder

-- name: release_slots
delete from slot
where namespace = ?1 and kind = 'CONCURRENT'
    and (pool, holder) in (select json_extract(value, '$.pool'), json_extract(value, '$.holder') from json_each(?2))

-- name: pools
select p.pool, p.kind, p.slots_max, p.lasts_millis,
    (select count(*) from slot s where s.namespace = p.namespace and s.pool = p.pool and s.kind = p.kind
        and s.expires_at > cast(unixepoch('subsec') * 1000 as integer)) as held
from slot_pool p where p.namespace = ?1 order by p.pool, p.kind

-- name: slots
select kind, holder, process, fair_key, expires_at from slot
where namespace = ?1 and pool = ?2 and expires_at > cast(unixepoch('subsec') * 1000 as integer)
order by kind, holder limit ?3

-- Slots of pools that nobody asks for any more, and then the pools.
-- name: sweep_slots
delete from slot where namespace = ?1 and (pool, kind, holder) in (select s.pool, s.kind, s.holder from slot s
    where s.namespace = ?1 and s.expires_at <= cast(unixepoch('subsec') * 1000 as integer) and s.format <= ?2 limit ?3)

-- name: sweep_pools
delete from slot_pool where namespace = ?1 and (pool, kind) in (select p.pool, p.kind from slot_pool p
    where p.namespace = ?1 and p.format <= ?2 and not exists (
        select 1 from slot s where s.namespace = p.namespace and s.pool = p.pool and s.kind = p.kind)
    limit ?3)

-- The commit of a batch, statement by statement. A check constraint aborts what no bundle may ask for.

-- name: fence
select shard_no from shard
where namespace = ?1 and group_name = ?2 and shard_number = ?3 and epoch = ?4 and owner is not null

-- Before somebody else's statements run in the same transaction.
-- name: hold_fence
select shard_no from shard
where namespace = ?1 and group_name = ?2 and shard_number = ?3 and epoch = ?4 and owner is not null

-- name: find_workflow
select workflow_no, shard_no from workflow where namespace = ?1 and workflow_id = ?2

-- name: create_workflow
insert into workflow (namespace, workflow_id, shard_no, group_name, definition, definition_version, trigger_activity, threshold,
    parent_group, parent_namespace, parent_workflow_id, parent_activity, parent_address, parent_answer, parent_awaits, status,
    semaphore, messages, input, output, created_at)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, x'', ?20)
on conflict (namespace, workflow_id) do nothing

-- What has changed of the workflow's own row: the first move of the semaphore, and the counter of its messages. No row is what comes
-- of a number given before, or a hit that was not foreseen. The hit is computed here, never taken from the prediction.
-- (Nowhere on this path "returning": SQLite makes a table to return from, and drops it again, for every statement.)
-- name: commit_workflow
update workflow set
    messages = coalesce(?4, messages),
    semaphore = semaphore + ?5,
    closed_by = case when closed_by is null and semaphore + ?5 = threshold then ?6 else closed_by end
where workflow_no = ?1 and shard_no = ?2
    and messages <= coalesce(?3, messages)
    and (?6 is not null and closed_by is null and semaphore + ?5 = threshold) = ?7

-- The compound primitive by itself, for every further move of a batch: delta, threshold and closer in one statement.
-- name: move_semaphore
update workflow set
    semaphore = semaphore + ?2,
    closed_by = case when closed_by is null and semaphore + ?2 = threshold then ?3 else closed_by end
where workflow_no = ?1 and (closed_by is null and semaphore + ?2 = threshold) = ?4

-- name: hold_workflow
update workflow set status = ?2, reason = ?3 where workflow_no = ?1

-- name: close_workflow
update workflow set status = ?2, output = ?3, reason = ?4, closed_at = ?5 where workflow_no = ?1

-- name: put_waiting
insert into waiting (workflow_no, address, activity, namespace, shard_no, waker, waker_name, due_at, attempt, task_input)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
on conflict (workflow_no, address, activity) do update set waker = excluded.waker, waker_name = excluded.waker_name,
    due_at = excluded.due_at, attempt = excluded.attempt, task_input = excluded.task_input

-- name: end_waiting
delete from waiting where workflow_no = ?1 and address = ?2 and activity = ?3

-- name: end_all_waiting
delete from waiting where workflow_no = ?1

-- The same primitive for a join; the first arrival makes it.
-- name: move_join
insert into join_gate (namespace, workflow_no, address, activity, semaphore, threshold, closed_by)
values (?1, ?2, ?3, ?4, ?5 - 1, 0, case when ?5 = 1 then ?6 end)
on conflict (namespace, workflow_no, address, activity) do update set
    semaphore = join_gate.semaphore - 1,
    closed_by = case
        when join_gate.closed_by is null and join_gate.semaphore - 1 = join_gate.threshold then ?6
        else join_gate.closed_by end
returning closed_by = ?6 and semaphore = threshold

-- name: queue_message
insert into message (namespace, shard_no, workflow_no, number, kind, guid, activity, address, name, source, attempt,
    response, payload, details)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)

-- name: acknowledge_message
delete from message where namespace = ?1 and shard_no = ?2 and workflow_no = ?3 and number = ?4

-- name: charge_message
update message set marks = ?5 where namespace = ?1 and shard_no = ?2 and workflow_no = ?3 and number = ?4

-- name: give_up_message
insert into given_up (namespace, shard_no, workflow_id, place, place_no, reason, marks, kind, guid, activity, address,
    name, source, attempt, response, payload, details)
select namespace, shard_no, ?6, 'QUEUE', number, ?5, marks, kind, guid, activity, address, name, source, attempt,
    response, payload, details
from message where namespace = ?1 and shard_no = ?2 and workflow_no = ?3 and number = ?4

-- name: append_event
insert into event (workflow_no, number, hash, signal_guid, body, payloads) values (?1, ?2, ?3, ?4, ?5, ?6)

-- The same for a commit that follows another one. It has no number, which is an error, if that one is not there or is another one; if
-- it is not the last one, the number is taken, which is an error, too. (Not "insert … select": SQLite makes a table of its own for
-- what is selected from the table that is written to.)
-- name: append_event_after
insert into event (workflow_no, number, hash, signal_guid, body, payloads)
values (?1, (select number + 1 from event where workflow_no = ?1 and number = ?2 - 1 and hash = ?7), ?3, ?4, ?5, ?6)

-- When it was first declared stays as it was.
-- name: put_effect
insert into effect (namespace, workflow_no, operation_id, activity_name, idempotency_key, status, result, error,
    created_at, updated_at)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
on conflict (namespace, workflow_no, operation_id, activity_name, idempotency_key) do update set
    status = excluded.status, result = excluded.result, error = excluded.error, updated_at = excluded.updated_at

-- name: put_attribute
insert into attribute (namespace, workflow_no, memo, name, type, text_value, number_value, memo_value, created_at)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
on conflict (namespace, workflow_no, memo, name) do update set
    type = excluded.type, text_value = excluded.text_value, number_value = excluded.number_value,
    memo_value = excluded.memo_value

-- name: remove_attribute
delete from attribute where namespace = ?1 and workflow_no = ?2 and memo = ?3 and name = ?4

-- Signals that are accepted here. One that was accepted before, or lies where the workflow's owner does not see it, speaks
-- against the batch.
-- name: signal_is_known
select exists (select 1 from signal_acceptance
        where namespace = ?1 and workflow_id = ?2 and signal_name = ?3 and signal_id = ?4)
    or exists (select 1 from message where namespace = ?1 and shard_no = ?5 and workflow_no = ?6 and guid = ?7)
    or exists (select 1 from inbox where guid = ?7 and kind = 'SIGNAL' and namespace = ?1)
    or exists (select 1 from given_up where guid = ?7 and kind = 'SIGNAL' and namespace = ?1)

-- Also where nobody has looked: then it is the key that refuses it.
-- name: accept_in_commit
insert into signal_acceptance (namespace, workflow_id, signal_name, signal_id, guid, accepted_at, expires_at)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7)
on conflict (namespace, workflow_id, signal_name, signal_id) do nothing

-- name: post_message
insert into inbox (namespace, shard_no, workflow_id, kind, guid, activity, address, name, source, attempt, response,
    payload, details)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)

-- name: take_from_inbox
delete from inbox where inbox_id = ?3 and namespace = ?1 and shard_no = ?2

-- name: charge_in_inbox
update inbox set marks = ?4 where inbox_id = ?3 and namespace = ?1 and shard_no = ?2

-- name: give_up_in_inbox
insert into given_up (namespace, shard_no, workflow_id, place, place_no, reason, marks, kind, guid, activity, address,
    name, source, attempt, response, payload, details)
select namespace, shard_no, workflow_id, 'INBOX', inbox_id, ?4, marks, kind, guid, activity, address, name, source,
    attempt, response, payload, details
from inbox where inbox_id = ?3 and namespace = ?1 and shard_no = ?2

-- name: lies_in_inbox
select 1 from inbox where inbox_id = ?3 and namespace = ?1 and shard_no = ?2

-- One message from outside a commit.
-- name: leave_message
insert into inbox (namespace, shard_no, workflow_id, kind, guid, activity, address, name, source, attempt, response,
    payload, details)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)

-- Signals.

-- The workflow cannot close before this transaction ends: here because there is one writer.
-- name: lock_for_signal
select workflow_no, shard_no, group_name, closed_by from workflow where namespace = ?1 and workflow_id = ?2

-- name: find_acceptance
select guid, accepted_at, expires_at from signal_acceptance
where namespace = ?1 and workflow_id = ?2 and signal_name = ?3 and signal_id = ?4

-- An answer that has expired makes room for the next; one that has not stays, and no row is written.
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
where w.namespace = ?1 and w.workflow_id = ?2

-- name: load_events
select number, hash, body, payloads from event where workflow_no = ?1 order by number

-- The events that tell of one activity, if one of them comes after a number: ?4 is how its key is spelled in a body.
-- name: load_activity
select w.input, w.output, e.number, e.hash, e.body, e.payloads
from workflow w join event e on e.workflow_no = w.workflow_no
where w.namespace = ?1 and w.workflow_id = ?2 and instr(e.body, ?4) > 0
    and exists (select 1 from event l where l.workflow_no = w.workflow_no and l.number > ?3 and instr(l.body, ?4) > 0)
order by e.number

-- The same for many of them: ?2 lists their ids, and then their numbers. CROSS JOIN, so that it goes through the list.
-- name: load_workflows
select {workflow_columns}
from json_each(?2) i
cross join workflow w on w.namespace = ?1 and w.workflow_id = i.value

-- name: load_events_of
select e.workflow_no, e.number, e.hash, e.body, e.payloads
from json_each(?1) i cross join event e on e.workflow_no = i.value
order by e.workflow_no, e.number

-- name: load_joins_of
select g.workflow_no, g.address, g.activity, g.semaphore, g.threshold, g.closed_by
from json_each(?2) i cross join join_gate g on g.namespace = ?1 and g.workflow_no = i.value

-- What the activities of one workflow wait for, where that has rows.
-- name: waiting
select {waiting_columns}
from workflow w join waiting a on a.workflow_no = w.workflow_no
where w.namespace = ?1 and w.workflow_id = ?2 order by a.address, a.activity

-- name: workflow_number
select workflow_no from workflow where namespace = ?1 and workflow_id = ?2

-- CROSS JOIN, so that it goes through the ids and not through the workflows.
-- name: existing_workflows
select w.workflow_id from json_each(?2) i cross join workflow w on w.namespace = ?1 and w.workflow_id = i.value

-- name: home_of_workflow
select s.group_name, s.shard_number from workflow w join shard s on s.shard_no = w.shard_no
where w.namespace = ?1 and w.workflow_id = ?2

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
from message m join workflow w on w.workflow_no = m.workflow_no
where m.namespace = ?1 and m.shard_no = ?2 and (m.workflow_no, m.number) > (?3, ?4)
order by m.workflow_no, m.number limit ?5

-- name: due
select {waiting_columns}
from waiting a join workflow w on w.workflow_no = a.workflow_no
where a.shard_no = ?1 and a.due_at <= ?2
order by a.due_at limit ?3

-- name: next_due
select due_at from waiting where shard_no = ?1 and due_at is not null order by due_at limit 1

-- name: tasks
select {waiting_columns}
from waiting a join workflow w on w.workflow_no = a.workflow_no
where a.shard_no = ?1 and a.due_at is not null and a.waker = 'TASK'
    and (a.due_at, a.workflow_no, a.address, a.activity) > (?2, ?3, ?4, ?5)
order by a.due_at, a.workflow_no, a.address, a.activity limit ?6

-- name: awake
select {waiting_columns}
from waiting a join workflow w on w.workflow_no = a.workflow_no
where a.shard_no = ?1 and a.waker = 'AWAKE' and (a.workflow_no, a.address, a.activity) > (?2, ?3, ?4)
order by a.workflow_no, a.address, a.activity limit ?5

-- Reads of the outside.

-- name: workflows
select {workflow_columns}
from workflow w
where w.namespace = ?1
    {workflow_filter}
order by w.created_at desc, w.workflow_id limit ?9

-- The same by attributes. ?10 holds all that is asked of them, as JSON: a list of names, each with a type and with ranges, one of
-- which it must be in. One of them, ?11 and ?12, leads: it is looked up in its index, the others in what that one finds.
-- Along the workflows, where nothing better leads: for attributes that are only to be there.
-- name: workflows_by_attributes
select {workflow_columns}
from workflow w
where w.namespace = ?1
    {workflow_filter}
    {attribute_filter}
order by w.created_at desc, w.workflow_id limit ?9

-- By one text. CROSS JOIN, so that it leads; newest first as the index has them.
-- name: workflows_by_text
select {workflow_columns}
from attribute l cross join workflow w on w.workflow_no = l.workflow_no
where l.namespace = ?1 and l.name = ?11 and l.type = 'TEXT' and l.text_value = ?12
    and l.created_at >= coalesce(?5, -9223372036854775808) and l.created_at <= coalesce(?7, ?6, 9223372036854775807)
    {workflow_filter}
    {attribute_filter}
order by l.created_at desc, w.workflow_id limit ?9

-- By one number, truth or time, each told from the others by its type.
-- name: workflows_by_number
select {workflow_columns}
from attribute l cross join workflow w on w.workflow_no = l.workflow_no
where l.namespace = ?1 and l.name = ?11 and l.type = ?13 and l.number_value = ?12
    and l.created_at >= coalesce(?5, -9223372036854775808) and l.created_at <= coalesce(?7, ?6, 9223372036854775807)
    {workflow_filter}
    {attribute_filter}
order by l.created_at desc, w.workflow_id limit ?9

-- By ranges of texts; in the order of the index they are not newest first, so they are put in order.
-- name: workflows_by_texts
select {workflow_columns}
from (select distinct l.namespace, l.workflow_no from json_each(?12) r cross join attribute l
    on l.namespace = ?1 and l.name = ?11 and l.type = 'TEXT'
        and l.text_value >= r.value ->> 'from' and l.text_value <= r.value ->> 'to') l
cross join workflow w on w.workflow_no = l.workflow_no
where w.namespace = ?1
    {workflow_filter}
    {attribute_filter}
order by w.created_at desc, w.workflow_id limit ?9

-- name: workflows_by_numbers
select {workflow_columns}
from (select distinct l.namespace, l.workflow_no from json_each(?12) r cross join attribute l
    on l.namespace = ?1 and l.name = ?11 and l.type = ?13
        and l.number_value >= r.value ->> 'from' and l.number_value <= r.value ->> 'to') l
cross join workflow w on w.workflow_no = l.workflow_no
where w.namespace = ?1
    {workflow_filter}
    {attribute_filter}
order by w.created_at desc, w.workflow_id limit ?9

-- name: attributes
select t.memo, t.name, t.type, t.text_value, t.number_value, t.memo_value
from attribute t join workflow w on w.workflow_no = t.workflow_no
where w.namespace = ?1 and w.workflow_id = ?2 order by t.memo, t.name

-- name: hooked
select distinct w.workflow_id, w.group_name
from waiting a join workflow w on w.workflow_no = a.workflow_no
where a.namespace = ?1 and a.waker = 'HOOK' and a.waker_name = ?2 and w.workflow_id > ?3
order by w.workflow_id limit ?4

-- name: given_up
select g.given_up_id, s.group_name, s.shard_number, g.workflow_id, g.place, g.place_no, g.reason, g.marks, g.kind, g.guid,
    g.activity, g.address, g.name, g.source, g.attempt, g.response, g.payload, g.details
from given_up g join shard s on s.shard_no = g.shard_no
where g.namespace = ?1 and g.given_up_id > ?2 order by g.given_up_id limit ?3

-- name: events
select e.number, e.hash, e.body, e.payloads
from event e join workflow w on w.workflow_no = e.workflow_no
where w.namespace = ?1 and w.workflow_id = ?2 and e.number > ?3 order by e.number limit ?4

-- name: effects
select e.operation_id, e.activity_name, e.idempotency_key, e.status, e.result, e.error, e.created_at, e.updated_at, e.format
from effect e join workflow w on w.workflow_no = e.workflow_no
where w.namespace = ?1 and w.workflow_id = ?2 order by e.operation_id, e.activity_name, e.idempotency_key

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
values (?1, ?2, ?3, (select w.workflow_no from workflow w where w.namespace = ?1 and w.workflow_id = ?2), ?4, ?5, ?6, ?7, ?8)
on conflict (namespace, workflow_id, case_id) do nothing

-- name: find_given_up
select s.group_name, s.shard_number
from given_up g join shard s on s.shard_no = g.shard_no
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
from waiting a join workflow w on w.workflow_no = a.workflow_no
where a.namespace = ?1 and a.waker = 'HOOK' and a.waker_name >= ?2 and a.waker_name < ?3
    and (w.workflow_id > ?4 or (w.workflow_id = ?4 and a.activity > ?5))
order by w.workflow_id, a.activity limit ?6

-- Along the index of the code that has to run: what is parked is among it, and it is never much.
-- name: parked
select {workflow_columns}
from waiting f join workflow w on w.workflow_no = f.workflow_no
where f.namespace = ?1 and f.waker = 'AWAKE' and w.status = 'PARKED' and w.workflow_id > ?2
order by w.workflow_id limit ?3

-- Along the index of what is not known. What is under way is among it, and no more than that. It is named, because without statistics the
-- primary key looks as good, which holds every effect there is.
-- name: unknown_effects
select w.workflow_id, e.workflow_no, e.operation_id, e.activity_name, e.idempotency_key, e.status, e.result, e.error,
    e.created_at, e.updated_at, e.format
from effect e indexed by effect_unknown
join workflow w on w.workflow_no = e.workflow_no
where e.namespace = ?1 and e.status = 'indeterminate' and w.closed_at is not null
    and (e.workflow_no, e.operation_id, e.activity_name, e.idempotency_key) > (?2, ?3, ?4, ?5)
order by e.workflow_no, e.operation_id, e.activity_name, e.idempotency_key limit ?6

-- Retention.

-- Oldest first, along the index on created_at: what was closed before a time was created before it, too (or, where clocks
-- disagree, goes a little later). A message on its way to a workflow, or an answer that somebody may still ask for, keeps it.
-- What a newer engine has written is left to that one. A status without a cut-off has none to be older than.
-- name: sweepable_workflows
select w.workflow_no from workflow w
where w.namespace = ?1 and w.created_at < ?6 and w.closed_at < json_extract(?2, '$.' || w.status)
    and w.format <= ?4
    and not exists (select 1 from message m
        where m.namespace = w.namespace and m.shard_no = w.shard_no and m.workflow_no = w.workflow_no)
    and w.workflow_id not in (select i.workflow_id from inbox i where i.namespace = ?1)
    and not exists (select 1 from signal_acceptance s
        where s.namespace = w.namespace and s.workflow_id = w.workflow_id and (s.expires_at > ?3 or s.format > ?4))
order by w.created_at, w.workflow_id limit ?5

-- One writer: nothing to lock, and nothing has changed between the two statements.
-- name: lock_for_sweep
select workflow_no from workflow
where namespace = ?1 and workflow_no in (select value from json_each(?2))
    and closed_at < json_extract(?3, '$.' || status) and format <= ?4

-- name: sweepable_of
select w.workflow_no from workflow w
where w.namespace = ?1 and w.workflow_no in (select value from json_each(?2))
    and not exists (select 1 from message m
        where m.namespace = w.namespace and m.shard_no = w.shard_no and m.workflow_no = w.workflow_no)
    and w.workflow_id not in (select i.workflow_id from inbox i where i.namespace = ?1)
    and not exists (select 1 from signal_acceptance s
        where s.namespace = w.namespace and s.workflow_id = w.workflow_id and s.expires_at > ?3)

-- name: bytes_of
select (select coalesce(sum(length(cast(body as blob)) + coalesce(length(payloads), 0)), 0) from event
        where workflow_no in (select value from json_each(?2)))
    + (select coalesce(sum(length(input) + length(output)), 0) from workflow
        where namespace = ?1 and workflow_no in (select value from json_each(?2)))

-- name: sweep_events
delete from event where workflow_no in (select value from json_each(?1))

-- name: sweep_waiting
delete from waiting where workflow_no in (select value from json_each(?1))

-- name: sweep_joins
delete from join_gate where namespace = ?1 and workflow_no in (select value from json_each(?2))

-- name: sweep_effects
delete from effect where namespace = ?1 and workflow_no in (select value from json_each(?2))

-- name: sweep_attributes
delete from attribute where namespace = ?1 and workflow_no in (select value from json_each(?2))

-- name: sweep_acceptances
delete from signal_acceptance where namespace = ?1 and workflow_id in (select w.workflow_id from workflow w
    where w.namespace = ?1 and w.workflow_no in (select value from json_each(?2)))

-- name: sweep_decisions
delete from decision where namespace = ?1 and workflow_no in (select value from json_each(?2))

-- Decisions about what never was a workflow.
-- name: sweep_lone_decisions
delete from decision where namespace = ?1 and workflow_no is null and case_id in (select d.case_id from decision d
    where d.workflow_no is null and d.namespace = ?1 and d.decided_at < ?2 and d.format <= ?3 limit ?4)

-- name: sweep_workflows
delete from workflow where namespace = ?1 and workflow_no in (select value from json_each(?2))

-- name: sweep_expired_acceptances
delete from signal_acceptance
where namespace = ?1 and expires_at <= ?2 and (workflow_id, signal_name, signal_id) in (
    select s.workflow_id, s.signal_name, s.signal_id from signal_acceptance s
    where s.namespace = ?1 and s.expires_at <= ?2 and s.format <= ?3
        and not exists (select 1 from workflow w
            where w.namespace = s.namespace and w.workflow_id = s.workflow_id and w.closed_by is null)
    limit ?4)

-- name: count_sweepable
with over (workflow_no) as materialized (
    select w.workflow_no from workflow w
    where w.namespace = ?1 and w.created_at < ?5 and w.closed_at < json_extract(?2, '$.' || w.status)
        and w.format <= ?4
        and not exists (select 1 from message m
            where m.namespace = w.namespace and m.shard_no = w.shard_no and m.workflow_no = w.workflow_no)
        and w.workflow_id not in (select i.workflow_id from inbox i where i.namespace = ?1)
        and not exists (select 1 from signal_acceptance s
            where s.namespace = w.namespace and s.workflow_id = w.workflow_id and (s.expires_at > ?3 or s.format > ?4)))
select (select count(*) from over) as workflows,
    (select count(*) from event e where e.workflow_no in (select workflow_no from over)) as events,
    (select count(*) from signal_acceptance s
        where s.namespace = ?1 and s.expires_at <= ?3 and s.format <= ?4
            and not exists (select 1 from workflow w
                where w.namespace = s.namespace and w.workflow_id = s.workflow_id and w.closed_by is null)) as acceptances,
    (select coalesce(sum(length(cast(body as blob)) + coalesce(length(payloads), 0)), 0) from event
        where workflow_no in (select workflow_no from over))
    + (select coalesce(sum(length(input) + length(output)), 0) from workflow
        where namespace = ?1 and workflow_no in (select workflow_no from over)) as bytes

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

-- name: schema_version
select max(cast(version as integer)) from pawl_history where success

-- name: engine_format_min
select engine_format_min from store_format where singleton = 1
