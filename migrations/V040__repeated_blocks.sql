-- A block of scored trials that generator or host spoilt is made again at the end of its run. Of each trial the newest attempt
-- counts, so a repeat takes the place of its block as a whole; a repeat that was cut off takes none.

create table block_repeat (
  block_repeat_id bigint generated always as identity constraint block_repeat_pk primary key,
  run_id          bigint not null constraint block_repeat_run_fk references run,
  ordinal         int not null constraint block_repeat_ordinal_ck check (ordinal > 0),
  cells           bigint[] not null constraint block_repeat_cells_ck check (cardinality(cells) > 0),
  fencing         bigint not null,
  reason          text not null,
  asked_at        timestamptz not null default now(),
  constraint block_repeat_once_uq unique (run_id, ordinal, cells)
);
comment on table block_repeat is 'A spoilt block of scored trials that its run makes again, once';
comment on column block_repeat.block_repeat_id is 'Internal key';
comment on column block_repeat.run_id is 'The run';
comment on column block_repeat.ordinal is 'Which trial of each of its cells, from 1';
comment on column block_repeat.cells is 'Its cells, which take turns, in the order of the matrix';
comment on column block_repeat.fencing is 'Newest lease when it was asked for: attempts of later leases are the repeat';
comment on column block_repeat.reason is 'What spoilt the block, in words';
comment on column block_repeat.asked_at is 'When it was asked for';

alter table trial add column cut_off boolean not null default false;
comment on column trial.cut_off is 'Of a repeat of its block that was not made whole: shown, and counted nowhere';
comment on column run.attempts is 'How often it was leased since trials were last asked for; three at most, and 0 until what was asked for later is claimed';
