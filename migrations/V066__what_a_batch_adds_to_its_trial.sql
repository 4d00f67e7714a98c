-- What each batch adds to its trial is counted with it: a trial may have only so much, or its page and its roll-up, which
-- read all of it, take all of the service's memory.

alter table batch
  add column ticks int,
  add column windows int,
  add column steps int,
  add column phases int,
  add column facts int;
comment on column batch.ticks is 'Ticks in it; null, as the next four: stored before this was counted';
comment on column batch.windows is 'Seconds of load in it';
comment on column batch.steps is 'Steps in it';
comment on column batch.phases is 'Entries of phases in it';
comment on column batch.facts is 'Size of its facts as JSON: of start, end, and health and outcomes of its steps';
