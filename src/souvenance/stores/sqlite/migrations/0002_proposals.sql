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

pragma user_version = 2;
