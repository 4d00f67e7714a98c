-- Raw samples are most of what is stored, and nobody looks at those of last year: they are removed after some months. What
-- was made of them, histograms and seconds of load stay. sample_chunk stays one table: its rows are found by their trial
-- alone, which names no time, and to copy an existing one into partitions would stop the service for as long as that takes.

alter table trial add column samples_removed_at timestamptz;
comment on column trial.samples_removed_at is
  'When its raw samples were removed because of their age; null: they are there, or there were none';
create index trial_samples_ix on trial (workspace_id, finished_at) where samples_removed_at is null;
