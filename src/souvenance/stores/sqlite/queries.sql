-- Every statement that the SQLite store runs, by name. Read by queries.py.
--   "-- name: x"      starts a statement
--   "-- columns: x"   starts a list of columns, put in place of {x} in statements
-- Space and person lead every statement on a person's rows, except those marked "admin".
-- "cross join" is SQLite's way to fix the order: the small side first, then the index.

-- columns: person
space, person, display_name, aliases, time_zone
-- columns: character
space, character, name, persona, language, isolation, plan, greeting, state
-- columns: timeline
space, person, character, timeline, parent, fork_seq, is_main, created_at
-- columns: thread
space, person, character, thread, timeline, head, title, created_at, last_at
-- columns: message
space, person, character, thread, message_id, parent, role, text, at, mark, seq
-- columns: job
space, person, character, thread, job_id, kind, messages, created_at, not_before, state, attempts,
lease_owner, lease_until, heartbeat_at, error, seq
-- columns: failure
space, person, character, thread, failure_id, job_id, at, reason, raw, resolved
-- columns: journal
space, person, character, thread, at, action, memory_id, text, reason, ref, seq
-- columns: proposal
space, person, character, thread, job_id, at, by, body, seq
-- columns: memory
v.space, v.person, v.character, v.memory_id, v.timeline, v.thread, v.kind, v.text, v.born_at,
v.changed_at, v.cause_by, v.cause_ref, v.cause_reason, v.status, v.source, v.importance,
v.confidence, v.pinned, v.edited, v.quote, v.messages, v.entity, v.attribute, v.value, v.starts,
v.until, v.successor, v.born_turn, v.seq_from, v.seq_to

-- === transactions ===

-- name: begin_write
begin immediate
-- name: begin_read
begin
-- name: commit
commit
-- name: rollback
rollback

-- === people ===

-- name: add_space
insert into spaces (space) values (:space) on conflict do nothing
-- name: add_person
insert into persons (space, person) values (:space, :person) on conflict do nothing
-- name: next_seq
update persons set seq = seq + 1 where space = :space and person = :person returning seq
-- name: seq
select seq from persons where space = :space and person = :person
-- name: memories_changed
update persons set memory_seq = :seq where space = :space and person = :person
-- name: put_person
update persons set display_name = :display_name, aliases = :aliases, time_zone = :time_zone
where space = :space and person = :person
-- name: person
select {person} from persons where space = :space and person = :person
-- name: people
-- admin: the list of people of a space
select {person} from persons where space = :space order by person
-- name: stamp
select memory_seq, vector_stamp, erasures from persons where space = :space and person = :person

-- === characters ===

-- name: put_character
insert into characters ({character})
values (:space, :character, :name, :persona, :language, :isolation, :plan, :greeting, :state)
on conflict (space, character) do update set
  name = excluded.name, persona = excluded.persona, language = excluded.language,
  isolation = excluded.isolation, plan = excluded.plan, greeting = excluded.greeting,
  state = excluded.state
-- name: character
select {character} from characters where space = :space and character = :character
-- name: characters
select {character} from characters where space = :space order by character

-- === addresses and timelines ===

-- name: add_address
insert into addresses (space, person, character) values (:space, :person, :character)
on conflict do nothing
-- name: add_main_timeline
insert into timelines ({timeline}, seq)
select :space, :person, :character, :timeline, null, null, 1, :at, :seq
where not exists (
  select 1 from timelines where space = :space and person = :person and character = :character)
-- name: timeline
select {timeline} from timelines
where space = :space and person = :person and character = :character and timeline = :timeline
-- name: timelines
select {timeline} from timelines
where space = :space and person = :person and character = :character
order by seq, timeline
-- name: no_main_timeline
update timelines set is_main = 0
where space = :space and person = :person and character = :character and is_main = 1
-- name: put_timeline
insert into timelines ({timeline}, seq)
values (:space, :person, :character, :timeline, :parent, :fork_seq, :is_main, :created_at, :seq)
on conflict (space, person, character, timeline) do update set is_main = excluded.is_main
-- name: count_turn
update addresses set turns = turns + 1
where space = :space and person = :person and character = :character
returning turns
-- name: count_degraded
update addresses set degraded = degraded + 1
where space = :space and person = :person and character = :character
-- name: turns
select turns, degraded from addresses
where space = :space and person = :person and character = :character
-- name: stretches
select first, thread, turns from stretches
where space = :space and person = :person and character = :character
order by first
-- name: last_stretch
select first, thread from stretches
where space = :space and person = :person and character = :character
order by first desc limit 1
-- name: extend_stretch
update stretches set turns = turns + 1
where space = :space and person = :person and character = :character and first = :first
-- name: add_stretch
insert into stretches (space, person, character, first, thread, turns)
values (:space, :person, :character, :turn, :thread, 1)
-- name: tallies
select block, began, ended, turns, slots, retrieved, memories, top, squares from tallies
where space = :space and person = :person and character = :character
order by block
-- name: count_in_tally
insert into tallies (space, person, character, block, began, ended, turns)
values (:space, :person, :character, :block, :at, :at, 1)
on conflict (space, person, character, block)
do update set turns = turns + 1, ended = excluded.ended
-- name: tally
-- The figures of one block, as long as no later one began to be counted.
with mine as (
  select block_served n, block_retrieved r from counters
  where space = :space and person = :person and character = :character and block = :block)
select coalesce(sum(n), 0), coalesce(sum(r), 0), count(*),
  (select coalesce(sum(n), 0) from (select n from mine order by n desc limit :most)),
  coalesce(sum(n * n), 0)
from mine
-- name: close_tally
update tallies
set slots = :slots, retrieved = :retrieved, memories = :memories, top = :top, squares = :squares
where space = :space and person = :person and character = :character and block = :block

-- === threads and messages ===

-- name: put_thread
insert into threads ({thread}, seq)
values (:space, :person, :character, :thread, :timeline, :head, :title, :created_at, :last_at, :seq)
on conflict (space, person, character, thread) do update set
  timeline = excluded.timeline, head = excluded.head, title = excluded.title,
  created_at = excluded.created_at, last_at = excluded.last_at, seq = excluded.seq
-- name: thread_head
select head from threads
where space = :space and person = :person and character = :character and thread = :thread
-- name: thread
select {thread} from threads
where space = :space and person = :person and character = :character and thread = :thread
-- name: threads
select {thread} from threads
where space = :space and person = :person and (:character is null or character = :character)
order by last_at desc, character, thread
-- name: add_message
insert into messages ({message}, place)
values (:space, :person, :character, :thread, :message_id, :parent, :role, :text, :at, :mark,
  :seq, :place)
on conflict (space, person, character, message_id) do nothing
-- name: redact_message
update messages set text = :text
where space = :space and person = :person and character = :character and message_id = :message_id
returning thread, seq
-- name: path
with recursive back (id, before, depth) as (
  select message_id, parent, 0 from messages
  where space = :space and person = :person and character = :character and message_id = :end
  union all
  select m.message_id, m.parent, back.depth + 1
  from back
  cross join messages m on m.space = :space and m.person = :person and m.character = :character
    and m.message_id = back.before
  where back.depth + 1 < :limit
)
select {message} from back
cross join messages on space = :space and person = :person and character = :character and message_id = id
order by depth desc
-- name: messages
select {message} from messages
where space = :space and person = :person and character = :character
  and message_id in (select value from json_each(:ids))
order by seq, place

-- === switches ===

-- name: switch_on
delete from switches
where space = :space and person = :person and character is :character and thread is :thread
-- name: switch_off
insert into switches (space, person, character, thread, off_at, seq)
values (:space, :person, :character, :thread, :off_at, :seq)
-- name: switches
select space, person, character, thread, off_at from switches
where space = :space and person = :person
order by character, thread

-- === versions ===

-- name: head
select seq_from from versions
where space = :space and person = :person and character = :character
  and timeline = :timeline and memory_id = :memory_id and seq_to is null
-- name: inherited_head
select seq_from from versions
where space = :space and person = :person and character = :character
  and timeline = :timeline and memory_id = :memory_id and seq_from <= :upto
order by seq_from desc limit 1
-- name: close_version
update versions set seq_to = :seq
where space = :space and person = :person and character = :character
  and timeline = :timeline and memory_id = :memory_id and seq_to is null
-- name: add_version
insert into versions (
  space, person, character, memory_id, timeline, thread, kind, text, born_at, changed_at, cause_by,
  cause_ref, cause_reason, status, source, importance, confidence, pinned, edited, quote, messages,
  entity, attribute, value, starts, until, successor, born_turn, seq_from, fingerprint)
values (
  :space, :person, :character, :memory_id, :timeline, :thread, :kind, :text, :born_at, :changed_at,
  :cause_by, :cause_ref, :cause_reason, :status, :source, :importance, :confidence, :pinned,
  :edited, :quote, :messages, :entity, :attribute, :value, :starts, :until, :successor, :born_turn,
  :seq, :fingerprint)
-- name: current_own
select {memory} from versions v
where v.space = :space and v.person = :person and v.character = :character
  and v.timeline = :timeline and v.seq_to is null and v.seq_from > :since and v.family = 'memory'
  and (:thread is null or v.thread = :thread or (:globals and v.thread is null))
order by v.seq_from, v.memory_id
-- name: states_along
-- The states along a chain of timelines ([[timeline, upto], …], nearest first) that stand at its
-- limits: of each memory, those of the nearest timeline that has any.
with chain (depth, timeline, upto) as (
  select key, value ->> 0, value ->> 1 from json_each(:chain)
)
select {memory} from chain c
cross join versions v on v.space = :space and v.person = :person and v.character = :character
  and v.timeline = c.timeline
where v.seq_from <= c.upto and v.seq_from > :since and (v.seq_to is null or v.seq_to > c.upto)
  and v.family = 'memory'
  and (:thread is null or v.thread = :thread or (:globals and v.thread is null))
  and not exists (
    select 1 from chain n
    cross join versions o on o.space = :space and o.person = :person and o.character = :character
      and o.timeline = n.timeline and o.memory_id = v.memory_id
    where n.depth < c.depth and o.seq_from <= n.upto)
order by v.seq_from, v.memory_id
-- name: history
select {memory} from json_each(:chain) c
cross join versions v on v.space = :space and v.person = :person and v.character = :character
  and v.timeline = c.value ->> 0 and v.memory_id = :memory_id and v.seq_from <= c.value ->> 1
where v.family = 'memory'
order by v.seq_from
-- name: counters
select memory_id, served, retrieved, last_retrieved_at, first_served, first_retrieved from counters
where space = :space and person = :person and character = :character
-- name: count_uses
-- `uses` lists pairs: a memory that was served, and 1 when it was retrieved by meaning, else 0.
-- One that was counted before is quicker to find than its versions.
insert into counters (space, person, character, memory_id, served, retrieved, last_retrieved_at,
  first_served, first_retrieved, block, block_served, block_retrieved)
select :space, :person, :character, u.value ->> 0, 1, u.value ->> 1,
  case when u.value ->> 1 then :at end, :turn, case when u.value ->> 1 then :turn end,
  :block, 1, u.value ->> 1
from json_each(:uses) u
where exists (
  select 1 from counters where space = :space and person = :person and character = :character
    and memory_id = u.value ->> 0)
or exists (
  select 1 from versions where space = :space and person = :person and character = :character
    and timeline in (
      select timeline from timelines
      where space = :space and person = :person and character = :character)
    and memory_id = u.value ->> 0)
on conflict (space, person, character, memory_id) do update set
  served = served + 1,
  retrieved = retrieved + excluded.retrieved,
  last_retrieved_at = coalesce(excluded.last_retrieved_at, last_retrieved_at),
  first_served = coalesce(first_served, excluded.first_served),
  first_retrieved = coalesce(first_retrieved, excluded.first_retrieved),
  block_served = iif(block = excluded.block, block_served, 0) + 1,
  block_retrieved = iif(block = excluded.block, block_retrieved, 0) + excluded.block_retrieved,
  block = excluded.block

-- === journal and failures ===

-- name: add_journal
insert into journal ({journal}, place)
values (:space, :person, :character, :thread, :at, :action, :memory_id, :text, :reason, :ref, :seq,
  :place)
-- name: journal
select {journal} from journal
where space = :space and person = :person and character = :character
  and (:thread is null or thread = :thread or (:globals and thread is null))
  and (:actions = '[]' or action in (select value from json_each(:actions)))
order by seq desc, place desc limit :limit
-- name: put_failure
insert into failures ({failure}, seq, place)
values (:space, :person, :character, :thread, :failure_id, :job_id, :at, :reason, :raw, :resolved,
  :seq, :place)
on conflict (space, person, failure_id) do update set
  character = excluded.character, thread = excluded.thread, job_id = excluded.job_id,
  at = excluded.at, reason = excluded.reason, raw = excluded.raw, resolved = excluded.resolved,
  seq = excluded.seq, place = excluded.place
-- name: resolve_failure
update failures set resolved = 1
where space = :space and person = :person and failure_id = :failure_id
-- name: failures
select {failure} from failures
where space = :space and person = :person and character = :character and resolved = :resolved
  and (:thread is null or thread = :thread)
order by seq, place

-- name: add_proposal
insert into proposals ({proposal}, place)
values (:space, :person, :character, :thread, :job_id, :at, :by, :body, :seq, :place)
-- name: proposals
select {proposal} from proposals
where space = :space and person = :person and character = :character
  and (:thread is null or thread = :thread)
order by seq, place

-- === pieces of identifiers: what rests on one message ===

-- name: resting_proposals
select {proposal}, place from proposals
where space = :space and person = :person and character = :character and seq >= :since
  and (exists (select 1 from json_each(body, '$.shown') where value = :message_id)
    or exists (select 1 from json_each(body, '$.fresh') where value = :message_id))
-- name: rewrite_proposal
update proposals set body = :body
where space = :space and person = :person and character = :character
  and seq = :seq and place = :place
-- name: resting_versions
select {memory} from versions v
where v.space = :space and v.person = :person and v.character = :character
  and v.seq_from >= :since and v.memory_id in (
    select o.memory_id from versions o
    where o.space = :space and o.person = :person and o.character = :character
      and o.seq_from >= :since
      and (o.seq_from in (select value from json_each(:seqs))
        or exists (select 1 from json_each(o.messages) where value = :message_id)))
-- name: rewrite_version
update versions set text = :text, fingerprint = :fingerprint, quote = :quote, entity = :entity, attribute = :attribute,
  value = :value, cause_reason = :cause_reason
where space = :space and person = :person and character = :character
  and timeline = :timeline and memory_id = :memory_id and seq_from = :seq
-- name: drop_vectors_of_text
delete from vectors
where space = :space and person = :person and character = :character and memory_id = :memory_id
  and fingerprint = :fingerprint
-- name: resting_jobs
select {job} from jobs
where space = :space and person = :person and character = :character and thread = :thread
  and seq >= :since
-- name: rewrite_job
update jobs set error = :error where space = :space and person = :person and job_id = :job_id
-- name: resting_failures
select {failure} from failures
where space = :space and person = :person and character = :character and seq >= :since
  and job_id in (select value from json_each(:jobs))
-- name: rewrite_failure
update failures set reason = :reason, raw = :raw
where space = :space and person = :person and failure_id = :failure_id
-- name: resting_journal
select {journal}, place from journal
where space = :space and person = :person and character = :character and seq >= :since
  and (seq in (select value from json_each(:seqs))
    or memory_id in (select value from json_each(:memories))
    or ref in (select value from json_each(:jobs)))
-- name: rewrite_journal
update journal set text = :text, reason = :reason
where space = :space and person = :person and character = :character
  and seq = :seq and place = :place

-- === jobs ===

-- name: add_job
insert into jobs ({job}, place)
values (:space, :person, :character, :thread, :job_id, :kind, :messages, :created_at, :not_before,
  'pending', 0, null, null, null, '', :seq, :place)
on conflict (space, person, job_id) do nothing
-- name: person_job_state
select state, lease_owner from jobs where space = :space and person = :person and job_id = :job_id
-- name: end_job
update jobs set state = :state, error = :error, lease_owner = null, lease_until = null
where space = :space and person = :person and job_id = :job_id
-- name: requeue_job
update jobs set state = 'pending', attempts = 0, not_before = :not_before, error = '',
  lease_owner = null, lease_until = null, heartbeat_at = null
where space = :space and person = :person and job_id = :job_id
  and state in ('parked', 'cancelled', 'done')
-- name: due_job
-- admin: the worker serves everybody
select j.job_id from jobs j indexed by jobs_unfinished
where j.state in ('pending', 'running')
  and case j.state when 'pending' then j.not_before else j.lease_until end <= :now
  and (:space is null or j.space = :space) and (:person is null or j.person = :person)
  and (:character is null or j.character = :character)
  and not exists (
    select 1 from jobs e
    where e.space = j.space and e.person = j.person and e.character = j.character
      and e.thread = j.thread and e.state in ('pending', 'running')
      and (e.seq, e.place) < (j.seq, j.place))
order by j.created_at, j.seq, j.place, j.job_id limit 1
-- name: following_job
-- admin: the worker serves everybody
select e.job_id from jobs j join jobs e
  on e.space = j.space and e.person = j.person and e.character = j.character and e.thread = j.thread
where j.job_id = :job_id and j.lease_owner = :owner and j.state = 'running'
  and e.state in ('pending', 'running') and (e.seq, e.place) > (j.seq, j.place)
order by e.seq, e.place limit 1
-- name: lease_following
-- admin: by job id, which is unique
update jobs set state = 'running', attempts = attempts + 1, lease_owner = :owner,
  lease_until = :until, heartbeat_at = :now
where job_id = :job_id and state = 'pending'
returning {job}
-- name: lease_job
-- admin: by job id, which is unique
update jobs set state = 'running', attempts = attempts + 1, lease_owner = :owner,
  lease_until = :until, heartbeat_at = :now
where job_id = :job_id
returning {job}
-- name: heartbeat
-- admin: by job id, which is unique
update jobs set lease_until = :until, heartbeat_at = :now
where job_id = :job_id and lease_owner = :owner and state = 'running'
returning job_id
-- name: release_job
-- admin: by job id, which is unique
update jobs set state = 'pending', lease_owner = null, lease_until = null, heartbeat_at = null,
  not_before = :not_before, attempts = attempts - :uncounted
where job_id = :job_id and lease_owner = :owner and state = 'running'
-- name: unfinished_jobs
-- admin: the worker serves everybody
select {job} from jobs indexed by jobs_unfinished
where state in ('pending', 'running')
  and (:space is null or space = :space) and (:person is null or person = :person)
  and (:character is null or character = :character)
order by seq, place, space, person, job_id
-- name: job
-- admin: by job id, which is unique
select {job} from jobs where job_id = :job_id

-- === vectors ===

-- name: missing_vectors
-- admin: the index loop serves everybody. A state counts while it is current, or was at some fork.
select {memory} from versions v
where v.seq_to is null and v.status = 'active' and v.family = 'memory'
  and not exists (
    select 1 from vectors x
    where x.space = v.space and x.person = v.person and x.character = v.character
      and x.memory_id = v.memory_id and x.embedder = :embedder and x.fingerprint = v.fingerprint)
union all
select {memory} from versions v
where v.seq_to is not null and v.status = 'active' and v.family = 'memory'
  and v.rowid in (
    select s.rowid from timelines t
    cross join versions s on s.space = t.space and s.person = t.person
      and s.character = t.character and s.seq_from <= t.fork_seq and s.seq_to > t.fork_seq)
  and not exists (
    select 1 from vectors x
    where x.space = v.space and x.person = v.person and x.character = v.character
      and x.memory_id = v.memory_id and x.embedder = :embedder and x.fingerprint = v.fingerprint)
order by 10, 1, 2, 3, 4, 29
limit :limit
-- name: index_progress
-- admin: counts, over everybody
select count(*) filter (where exists (
    select 1 from vectors x
    where x.space = v.space and x.person = v.person and x.character = v.character
      and x.memory_id = v.memory_id and x.embedder = :embedder and x.fingerprint = v.fingerprint)), count(*)
from versions v
where v.seq_to is null and v.status = 'active' and v.family = 'memory'
-- name: held_vectors
-- admin: counts, over everybody
select embedder, dim, count(*), sum(length(vector))
from (select embedder, dim, vector from vectors union all select embedder, dim, vector from windows)
group by embedder, dim order by embedder, dim
-- name: drop_vectors_of
-- admin: derived data of everybody, made again when it is missing
delete from vectors where rowid in (select rowid from vectors where embedder = :embedder limit :limit)
-- name: wanted_fingerprints
select distinct v.fingerprint from timelines w
cross join versions v on v.space = w.space and v.person = w.person and v.character = w.character
  and v.timeline = w.timeline and v.memory_id = :memory_id
where w.space = :space and w.person = :person and w.character = :character
  and (v.seq_to is null or exists (
    select 1 from timelines t
    where t.space = :space and t.person = :person and t.character = :character
      and t.fork_seq >= v.seq_from and t.fork_seq < v.seq_to))
-- name: drop_stale_vectors
delete from vectors
where space = :space and person = :person and character = :character and memory_id = :memory_id
  and embedder = :embedder and fingerprint not in (select value from json_each(:wanted))
-- name: next_vector_stamp
update persons set vector_stamp = vector_stamp + 1
where space = :space and person = :person returning vector_stamp
-- name: put_vector
insert into vectors (space, person, character, memory_id, embedder, fingerprint, dim, vector, stamp)
values (:space, :person, :character, :memory_id, :embedder, :fingerprint, :dim, :vector, :stamp)
on conflict (space, person, character, memory_id, embedder, fingerprint)
do update set dim = excluded.dim, vector = excluded.vector, stamp = excluded.stamp
-- name: load_vectors
select v.memory_id, x.fingerprint, x.vector from vectors x
join versions v on v.space = x.space and v.person = x.person and v.character = x.character
  and v.timeline = :timeline and v.memory_id = x.memory_id and v.seq_to is null
  and v.fingerprint = x.fingerprint
where x.space = :space and x.person = :person and x.character = :character
  and x.embedder = :embedder and x.stamp > :since and v.family = 'memory'
  and (:thread is null or v.thread = :thread or (:globals and v.thread is null))
order by v.seq_from, v.memory_id
-- name: all_vectors
select memory_id, fingerprint, vector from vectors
where space = :space and person = :person and character = :character
  and embedder = :embedder and stamp > :since

-- === windows of messages ===

-- name: said_heads
select t.thread, t.head from threads t
where t.space = :space and t.person = :person and t.character = :character
  and t.timeline = :timeline and t.head is not null and (:only is null or t.thread = :only)
  and not exists (
    select 1 from switches s where s.space = t.space and s.person = t.person
      and (s.character is null or s.character = t.character)
      and (s.thread is null or s.thread = t.thread))
order by t.thread
-- name: said_stamps
select window_stamp, message_edits from persons where space = :space and person = :person
-- name: unwindowed
-- admin: the index loop serves everybody
select t.space, t.person, t.character, t.thread, t.timeline, t.head, t.title, t.created_at, t.last_at,
  w.done, p.message_edits
from threads t
join persons p on p.space = t.space and p.person = t.person
left join windowed w on w.space = t.space and w.person = t.person and w.character = t.character
  and w.thread = t.thread and w.embedder = :embedder
where t.head is not null and t.head is not w.done
  and not exists (
    select 1 from switches s where s.space = t.space and s.person = t.person
      and (s.character is null or s.character = t.character)
      and (s.thread is null or s.thread = t.thread))
order by t.last_at desc, t.space, t.person, t.character, t.thread
limit :limit
-- name: known_windows
select message_id, window, fingerprint from windows
where space = :space and person = :person and character = :character
  and message_id in (select value from json_each(:ids)) and embedder = :embedder
-- name: next_window_stamp
update persons set window_stamp = window_stamp + 1
where space = :space and person = :person returning window_stamp
-- name: put_window
insert into windows (space, person, character, message_id, window, embedder, fingerprint, dim, vector, stamp)
select :space, :person, :character, :message_id, :window, :embedder, :fingerprint, :dim, :vector, :stamp
where exists (select 1 from messages where space = :space and person = :person and character = :character and message_id = :message_id)
on conflict (space, person, character, message_id, window, embedder, fingerprint)
do update set dim = excluded.dim, vector = excluded.vector, stamp = excluded.stamp
-- name: drop_stale_windows
with recursive ahead (id, depth) as (
  select :message_id, 0
  union all
  select m.message_id, ahead.depth + 1 from ahead
  cross join messages m on m.space = :space and m.person = :person and m.character = :character
    and m.parent = ahead.id
  where ahead.depth < :reach
)
delete from windows
where space = :space and person = :person and character = :character and message_id = :message_id
  and window = :window and embedder = :embedder and fingerprint <> :fingerprint
  and (select count(*) = count(distinct depth) from ahead)
-- name: put_windowed
insert into windowed (space, person, character, thread, embedder, done)
select :space, :person, :character, :thread, :embedder, :done
where exists (select 1 from threads where space = :space and person = :person and character = :character and thread = :thread)
on conflict (space, person, character, thread, embedder) do update set done = excluded.done
-- name: load_windows
select w.message_id, w.window, w.fingerprint, w.vector from windows w
where w.space = :space and w.person = :person and w.character = :character
  and w.embedder = :embedder and w.stamp > :since
  and (select m.thread from messages m
    where m.space = w.space and m.person = w.person and m.character = w.character
      and m.message_id = w.message_id) in (select value from json_each(:threads))
order by w.stamp, w.message_id, w.window, w.fingerprint
-- name: drop_windows_around
-- Those that may hold the words of a message: its own, and its neighbours' either way.
with recursive back (id, depth) as (
  select :message_id, 0
  union all
  select m.parent, back.depth + 1 from back
  cross join messages m on m.space = :space and m.person = :person and m.character = :character
    and m.message_id = back.id
  where m.parent is not null and back.depth < :reach
),
ahead (id, depth) as (
  select :message_id, 0
  union all
  select m.message_id, ahead.depth + 1 from ahead
  cross join messages m on m.space = :space and m.person = :person and m.character = :character
    and m.parent = ahead.id
  where ahead.depth < :reach
)
delete from windows
where space = :space and person = :person and character = :character
  and message_id in (select id from back union select id from ahead)
-- name: forget_windowed
delete from windowed where space = :space and person = :person and character = :character
-- name: drop_windows_of
-- admin: derived data of everybody, made again when it is missing
delete from windows where rowid in (select rowid from windows where embedder = :embedder limit :limit)
-- name: forget_windowed_by
-- admin: derived data of everybody, made again when it is missing
delete from windowed where embedder = :embedder
-- name: count_edits
-- admin: what was read of anybody is stale when windows were dropped
update persons set message_edits = message_edits + 1
-- name: count_edit
update persons set message_edits = message_edits + 1 where space = :space and person = :person

-- === identity and erasures ===

-- name: identity
-- admin: one row for the file
select key_id, erasures_applied from identity
-- name: add_identity
-- admin: one row for the file
insert into identity (one, key_id, erasures_applied) values (1, :key_id, :applied)
on conflict do nothing
-- name: erasures_applied
-- admin: one row for the file
update identity set erasures_applied = :applied
-- name: everybody
-- admin: an erasure names a person by keyed hash only
select space, person from persons
-- name: every_memory
-- admin: an erasure names a memory by keyed hash only
select distinct space, person, character, memory_id from versions
-- name: erase_person
delete from persons where space = :space and person = :person
-- name: erase_versions
delete from versions
where space = :space and person = :person and character = :character and memory_id = :memory_id
-- name: erase_vectors
delete from vectors
where space = :space and person = :person and character = :character and memory_id = :memory_id
-- name: drop_vectors_of_person
-- Under another name they say their memories in other words to the embedder: all are made again.
delete from vectors where space = :space and person = :person
-- name: erase_counters
delete from counters
where space = :space and person = :person and character = :character and memory_id = :memory_id
-- name: erase_proposals
-- What was proposed when any state of the memory was written; first, while those states are there.
delete from proposals
where space = :space and person = :person and character = :character and seq in (
  select seq_from from versions
  where space = :space and person = :person and character = :character and memory_id = :memory_id)
-- name: erase_journal
delete from journal
where space = :space and person = :person and character = :character and memory_id = :memory_id
-- name: count_erasure
update persons set erasures = erasures + 1 where space = :space and person = :person

-- === the file itself (admin, all of it) ===

-- name: set_wal
pragma journal_mode = wal
-- name: set_synchronous
pragma synchronous = full
-- name: set_foreign_keys
pragma foreign_keys = on
-- name: set_foreign_keys_off
pragma foreign_keys = off
-- name: set_secure_delete
pragma secure_delete = on
-- name: set_trusted_schema
pragma trusted_schema = off
-- name: set_temp_store
pragma temp_store = memory
-- name: set_fullfsync
pragma fullfsync = on
-- name: set_checkpoint_fullfsync
pragma checkpoint_fullfsync = on
-- name: set_query_only
pragma query_only = on
-- name: read_journal_mode
pragma journal_mode
-- name: read_synchronous
pragma synchronous
-- name: read_foreign_keys
pragma foreign_keys
-- name: read_secure_delete
pragma secure_delete
-- name: read_trusted_schema
pragma trusted_schema
-- name: read_temp_store
pragma temp_store
-- name: read_fullfsync
pragma fullfsync
-- name: read_checkpoint_fullfsync
pragma checkpoint_fullfsync
-- name: read_query_only
pragma query_only
-- name: read_busy_timeout
pragma busy_timeout
-- name: user_version
pragma user_version
-- name: application_id
pragma application_id
-- name: any_table
select count(*) from sqlite_schema
-- name: integrity_check
pragma integrity_check
-- name: quick_check
pragma quick_check
-- name: foreign_key_check
pragma foreign_key_check
-- name: counts
select
  (select count(*) from persons), (select count(*) from characters),
  (select count(*) from timelines), (select count(*) from threads),
  (select count(*) from messages),
  (select count(*) from versions where seq_to is null and family = 'memory'),
  (select count(*) from versions), (select count(*) from jobs),
  (select count(*) from failures), (select count(*) from journal),
  (select count(*) from proposals),
  (select count(*) from vectors), (select count(*) from windows),
  (select coalesce(sum(degraded), 0) from addresses)

-- === own invariants: each row of an answer is one problem, in words ===

-- name: invariant_states_follow
select 'memory ' || v.memory_id || ': the state from ' || v.seq_from || ' to ' || v.seq_to
  || ' has no state that follows it'
from versions v
where v.seq_to is not null and not exists (
  select 1 from versions n
  where n.space = v.space and n.person = v.person and n.character = v.character
    and n.timeline = v.timeline and n.memory_id = v.memory_id and n.seq_from = v.seq_to)
-- name: invariant_one_current
select 'memory ' || memory_id || ': ' || sum(seq_to is null) || ' current states in one timeline'
from versions group by space, person, character, timeline, memory_id having sum(seq_to is null) <> 1
-- name: invariant_seq_order
select 'memory ' || memory_id || ': a state ends at ' || seq_to || ' before it starts'
from versions where seq_to <= seq_from
-- name: invariant_seq_counted
with carried (space, person, seq) as (
  select space, person, seq from timelines union all
  select space, person, seq from threads union all
  select space, person, seq from messages union all
  select space, person, max(seq_from, coalesce(seq_to, 0)) from versions union all
  select space, person, seq from jobs union all
  select space, person, seq from failures union all
  select space, person, seq from journal union all
  select space, person, seq from proposals union all
  select space, person, seq from switches)
select 'a person''s rows carry seq ' || max(c.seq) || ' but only ' || p.seq || ' were counted'
from carried c join persons p using (space, person)
group by p.space, p.person having max(c.seq) > p.seq
-- name: invariant_memory_seq
select 'a person''s last memory change is ' || coalesce(max(v.seq_from), 0) || ' but '
  || p.memory_seq || ' is noted'
from persons p left join versions v using (space, person)
group by p.space, p.person
having coalesce(max(v.seq_from), 0) > p.memory_seq or p.memory_seq > p.seq
-- name: invariant_thread_heads
select 'thread ' || t.thread || ': its head message does not exist'
from threads t
where t.head is not null and not exists (
  select 1 from messages m
  where m.space = t.space and m.person = t.person and m.character = t.character
    and m.message_id = t.head)
-- name: invariant_job_messages
select 'job ' || j.job_id || ': message ' || w.value || ' does not exist'
from jobs j, json_each(j.messages) w
where j.kind = 'reflect' and not exists (
  select 1 from messages m
  where m.space = j.space and m.person = j.person and m.character = j.character
    and m.message_id = w.value)
-- name: invariant_main_timeline
select 'an address has timelines but none is the main one'
from timelines group by space, person, character having sum(is_main) <> 1
-- name: invariant_counters
select 'memory ' || memory_id || ': retrieved ' || retrieved || ' times but served ' || served
from counters where retrieved > served
-- name: invariant_stretches
select 'an address counted ' || a.turns || ' turns but ' || coalesce(sum(s.turns), 0)
  || ' are of a thread'
from addresses a left join stretches s using (space, person, character)
group by a.space, a.person, a.character having a.turns <> coalesce(sum(s.turns), 0)
-- name: invariant_vector_stamp
select 'a vector carries stamp ' || max(x.stamp) || ' but only ' || p.vector_stamp || ' were counted'
from vectors x join persons p using (space, person)
group by p.space, p.person having max(x.stamp) > p.vector_stamp
-- name: invariant_window_stamp
select 'a window carries stamp ' || max(x.stamp) || ' but only ' || p.window_stamp || ' were counted'
from windows x join persons p using (space, person)
group by p.space, p.person having max(x.stamp) > p.window_stamp
