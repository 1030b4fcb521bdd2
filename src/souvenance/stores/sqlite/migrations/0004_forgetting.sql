-- When a memory first came up, whose thread each turn was, and what each block of turns served.
alter table counters add column first_served integer;
alter table counters add column first_retrieved integer;
alter table counters add column block integer;
alter table counters add column block_served integer not null default 0;
alter table counters add column block_retrieved integer not null default 0;

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

-- Turns counted so far: of no thread that is known.
insert into stretches (space, person, character, first, thread, turns)
select space, person, character, 1, null, turns from addresses where turns > 0;

-- Degraded turns were counted as serving, and did not move the clock: no memory came up more often than it could.
update counters set served = min(served, (
  select max(0, a.turns - coalesce(min(v.born_turn), 0))
  from addresses a left join versions v on v.space = a.space and v.person = a.person
    and v.character = a.character and v.memory_id = counters.memory_id
  where a.space = counters.space and a.person = counters.person
    and a.character = counters.character));
update counters set retrieved = min(retrieved, served);
update counters set first_served = iif(served > 0, 0, null),
  first_retrieved = iif(retrieved > 0, 0, null);

pragma user_version = 4;
