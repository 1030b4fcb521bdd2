-- Vectors of messages amid their neighbours, so that what was said can be found by meaning.
alter table persons add column window_stamp integer not null default 0;
alter table persons add column message_edits integer not null default 0;

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

pragma user_version = 3;
