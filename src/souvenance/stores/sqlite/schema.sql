-- The whole schema as it stands after every migration, to be read in one place.
-- A test proves it equal to what the migrations build; databases are made by the migrations.
--
-- Dates are UTC text of fixed width, so that they sort as text. JSON columns hold lists of ids.
-- `seq` counts the commits of one (space, person); `place` is the order inside one commit.

create table spaces (
  space text primary key
) strict, without rowid;

-- One row, written once: which key file belongs here, and how many of its erasures are applied.
create table identity (
  one             integer primary key check (one = 1),
  key_id          text    not null,
  erasures_applied integer not null
) strict;

create table persons (
  space        text    not null references spaces,
  person       text    not null,
  display_name text,
  aliases      text    not null default '[]',
  time_zone    text,
  seq          integer not null default 0,
  memory_seq   integer not null default 0,
  vector_stamp integer not null default 0,
  erasures     integer not null default 0,
  window_stamp integer not null default 0,
  message_edits integer not null default 0,
  primary key (space, person)
) strict, without rowid;

create table characters (
  space     text not null references spaces,
  character text not null,
  name      text not null,
  persona   text not null,
  language  text not null,
  isolation text not null check (isolation in ('character', 'thread')),
  plan      text not null,
  greeting  text,
  state     text not null default '{}',
  primary key (space, character)
) strict, without rowid;

-- An address, with its turn clock.
create table addresses (
  space     text    not null,
  person    text    not null,
  character text    not null,
  turns     integer not null default 0,
  degraded  integer not null default 0,
  primary key (space, person, character),
  foreign key (space, person) references persons on delete cascade
) strict, without rowid;

create table timelines (
  space      text    not null,
  person     text    not null,
  character  text    not null,
  timeline   text    not null,
  parent     text,
  fork_seq   integer,
  is_main    integer not null check (is_main in (0, 1)),
  created_at text    not null,
  seq        integer not null,
  primary key (space, person, character, timeline),
  foreign key (space, person, character) references addresses on delete cascade,
  foreign key (space, person, character, parent)
    references timelines (space, person, character, timeline) deferrable initially deferred,
  check ((parent is null) = (fork_seq is null))
) strict, without rowid;

create unique index timelines_main on timelines (space, person, character) where is_main = 1;

create table threads (
  space      text    not null,
  person     text    not null,
  character  text    not null,
  thread     text    not null,
  timeline   text    not null,
  head       text,
  title      text,
  created_at text    not null,
  last_at    text    not null,
  seq        integer not null,
  primary key (space, person, character, thread),
  foreign key (space, person, character) references addresses on delete cascade,
  foreign key (space, person, character, timeline)
    references timelines deferrable initially deferred,
  foreign key (space, person, character, head)
    references messages (space, person, character, message_id) deferrable initially deferred
) strict, without rowid;

create index threads_timeline on threads (space, person, character, timeline);
create index threads_head on threads (space, person, character, head);

create table messages (
  space      text    not null,
  person     text    not null,
  character  text    not null,
  message_id text    not null,
  thread     text    not null,
  parent     text,
  role       text    not null check (role in ('user', 'character')),
  text       text    not null,
  at         text    not null,
  mark       text    not null,
  seq        integer not null,
  place      integer not null,
  primary key (space, person, character, message_id),
  foreign key (space, person, character) references addresses on delete cascade,
  foreign key (space, person, character, thread) references threads deferrable initially deferred,
  foreign key (space, person, character, parent)
    references messages (space, person, character, message_id) deferrable initially deferred
) strict;

create index messages_thread on messages (space, person, character, thread);
create index messages_parent on messages (space, person, character, parent);

-- Everything remembered: one row is one state of one memory, current while seq_to is null.
-- `family` leaves room for summary, anchors, stances and state under the same versioning.
create table versions (
  space        text    not null,
  person       text    not null,
  character    text    not null,
  timeline     text    not null,
  memory_id    text    not null,
  seq_from     integer not null,
  seq_to       integer check (seq_to > seq_from),
  family       text    not null default 'memory',
  thread       text,
  kind         text    not null,
  text         text    not null,
  fingerprint  text    not null,
  born_at      text    not null,
  changed_at   text    not null,
  cause_by     text    not null,
  cause_ref    text    not null,
  cause_reason text    not null,
  status       text    not null,
  source       text    not null,
  importance   integer not null,
  confidence   real    not null,
  pinned       integer not null check (pinned in (0, 1)),
  edited       integer not null check (edited in (0, 1)),
  quote        text    not null,
  messages     text    not null,
  entity       text,
  attribute    text,
  value        text,
  starts       text,
  until        text,
  successor    text,
  born_turn    integer not null,
  primary key (space, person, character, timeline, memory_id, seq_from),
  foreign key (space, person, character) references addresses on delete cascade,
  foreign key (space, person, character, timeline)
    references timelines deferrable initially deferred
) strict;

-- One current state per memory and timeline.
create unique index versions_head on versions (space, person, character, timeline, memory_id)
  where seq_to is null;
-- What changed since a seq, and the list of what is current.
create index versions_current on versions (space, person, character, timeline, seq_from)
  where seq_to is null;

create table jobs (
  space        text    not null,
  person       text    not null,
  job_id       text    not null,
  character    text    not null,
  thread       text    not null,
  kind         text    not null,
  messages     text    not null,
  created_at   text    not null,
  not_before   text    not null,
  state        text    not null
    check (state in ('pending', 'running', 'done', 'parked', 'cancelled')),
  attempts     integer not null,
  lease_owner  text,
  lease_until  text,
  heartbeat_at text,
  error        text    not null,
  seq          integer not null,
  place        integer not null,
  primary key (space, person, job_id),
  foreign key (space, person, character) references addresses on delete cascade,
  foreign key (space, person, character, thread) references threads deferrable initially deferred,
  check ((state = 'running') = (lease_owner is not null and lease_until is not null))
) strict;

create unique index jobs_id on jobs (job_id);
create index jobs_thread on jobs (space, person, character, thread);
create index jobs_unfinished on jobs (space, person, character, thread, seq, place)
  where state in ('pending', 'running');

-- The inbox of reflections that could not be used.
create table failures (
  space      text    not null,
  person     text    not null,
  failure_id text    not null,
  character  text    not null,
  thread     text    not null,
  job_id     text    not null,
  at         text    not null,
  reason     text    not null,
  raw        text    not null,
  resolved   integer not null check (resolved in (0, 1)),
  seq        integer not null,
  place      integer not null,
  primary key (space, person, failure_id),
  foreign key (space, person, character) references addresses on delete cascade
) strict;

create index failures_address on failures (space, person, character, seq, place);

create table journal (
  space     text    not null,
  person    text    not null,
  character text    not null,
  seq       integer not null,
  place     integer not null,
  thread    text,
  at        text    not null,
  action    text    not null,
  memory_id text,
  text      text    not null,
  reason    text    not null,
  ref       text    not null,
  primary key (space, person, character, seq, place),
  foreign key (space, person, character) references addresses on delete cascade
) strict;

-- What each reflection read and proposed, so that its decisions can be made again.
create table proposals (
  space     text    not null,
  person    text    not null,
  character text    not null,
  seq       integer not null,
  place     integer not null,
  thread    text    not null,
  job_id    text    not null,
  at        text    not null,
  by        text    not null,
  body      text    not null,
  primary key (space, person, character, seq, place),
  foreign key (space, person, character) references addresses on delete cascade
) strict;

create table counters (
  space             text    not null,
  person            text    not null,
  character         text    not null,
  memory_id         text    not null,
  served            integer not null default 0,
  retrieved         integer not null default 0,
  last_retrieved_at text, first_served integer, first_retrieved integer, block integer,
  block_served integer not null default 0, block_retrieved integer not null default 0,
  primary key (space, person, character, memory_id),
  foreign key (space, person, character) references addresses on delete cascade
) strict, without rowid;

-- Whose thread the counted turns were: one row for consecutive ones. No thread: before this was noted.
create table stretches (
  space     text    not null,
  person    text    not null,
  character text    not null,
  first     integer not null,
  thread    text,
  turns     integer not null,
  primary key (space, person, character, first),
  foreign key (space, person, character) references addresses on delete cascade
) strict, without rowid;

-- What each block of turns served, in figures; all but `turns` are told when the next block begins.
create table tallies (
  space     text    not null,
  person    text    not null,
  character text    not null,
  block     integer not null,
  began     text    not null,
  ended     text    not null,
  turns     integer not null,
  slots     integer,
  retrieved integer,
  memories  integer,
  top       integer,
  squares   integer,
  primary key (space, person, character, block),
  foreign key (space, person, character) references addresses on delete cascade
) strict, without rowid;

-- Memory is off: for the person, one character, or one thread (null: all of them).
create table switches (
  space     text    not null,
  person    text    not null,
  character text,
  thread    text,
  off_at    text    not null,
  seq       integer not null,
  foreign key (space, person) references persons on delete cascade
) strict;

create unique index switches_where
  on switches (space, person, coalesce(character, ''), coalesce(thread, ''));

-- Derived: can be emptied and rebuilt. A vector is float32, little-endian.
create table vectors (
  space       text    not null,
  person      text    not null,
  character   text    not null,
  memory_id   text    not null,
  embedder    text    not null,
  fingerprint text    not null,
  dim         integer not null,
  vector      blob    not null check (length(vector) = 4 * dim),
  stamp       integer not null,
  primary key (space, person, character, memory_id, embedder, fingerprint),
  foreign key (space, person, character) references addresses on delete cascade
) strict;

create index vectors_stamp on vectors (space, person, character, embedder, stamp);

-- Derived too: vectors of messages amid their neighbours.
create table windows (
  space       text    not null,
  person      text    not null,
  character   text    not null,
  message_id  text    not null,
  window      text    not null,
  embedder    text    not null,
  fingerprint text    not null,
  dim         integer not null,
  vector      blob    not null check (length(vector) = 4 * dim),
  stamp       integer not null,
  primary key (space, person, character, message_id, window, embedder, fingerprint),
  foreign key (space, person, character, message_id) references messages on delete cascade
) strict;

create index windows_stamp on windows (space, person, character, embedder, stamp);

-- Up to which message of its path a thread has all its windows.
create table windowed (
  space     text not null,
  person    text not null,
  character text not null,
  thread    text not null,
  embedder  text not null,
  done      text not null,
  primary key (space, person, character, thread, embedder),
  foreign key (space, person, character, thread) references threads on delete cascade
) strict, without rowid;

-- What must not come back: keyed hashes of erased or refused content, never the content.
create table tombstones (
  space     text    not null,
  person    text    not null,
  character text    not null,
  mark      text    not null,
  reason    text    not null check (reason in ('erased', 'never_again')),
  at        text    not null,
  seq       integer not null,
  primary key (space, person, character, mark),
  foreign key (space, person, character) references addresses on delete cascade
) strict, without rowid;

-- "SOUV": tells a Souvenance database from another program's.
pragma application_id = 0x534f5556;
pragma user_version = 4;
