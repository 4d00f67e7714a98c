-- Runs that wait for a machine have an order other than that of their coming, and a time at which each is expected to start.

alter table run
  add column priority smallint not null default 0 constraint run_priority_ck check (priority between -1 and 1);
comment on column run.priority is
    'Of what waits for a machine: 1 goes before 0, which goes before -1; of one priority the longest waiting first';
comment on column run.reckoned_seconds is
    'What its trials were reckoned to take when it was queued, by the machine''s last ones; null: queued before this was stored';
