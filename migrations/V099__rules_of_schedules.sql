-- What a schedule does beyond firing: what becomes of a firing that comes while an earlier run is open, for how long a run may go
-- on, after how long without a result it raises an alarm, which is told once, and how many builds that it missed it measures later.
-- A run that is stopped by such a rule keeps what it measured and says why it was stopped. Why a firing made no run is a column,
-- because sentences change. Schedules that are there keep what they did: they queued a run behind one that runs.

alter table schedule
  add column overlap text not null default 'queue'
    constraint schedule_overlap_ck check (overlap in ('skip', 'queue', 'stop')),
  add column most_hours int
    constraint schedule_most_hours_ck check (most_hours between 1 and 168),
  add column alarm_hours int
    constraint schedule_alarm_hours_ck check (alarm_hours between 1 and 9000),
  add column alarmed_at timestamptz,
  add column backfill int not null default 0
    constraint schedule_backfill_ck check (backfill between 0 and 20);
alter table schedule alter column overlap set default 'skip';
comment on column schedule.overlap is 'What a firing does while an earlier run is open: skip, queue a run behind it, or stop it';
comment on column schedule.most_hours is 'Hours after its start at which a run is stopped; null: it goes on until it is done';
comment on column schedule.alarm_hours is 'Hours without a result after which there is an alarm; null: never';
comment on column schedule.alarmed_at is 'When the alarm that holds was told; null: there is none, or it is not told yet';
comment on column schedule.backfill is 'How many builds that it missed its next firings measure, one each; 0: none';

alter table schedule_firing
  add column skip_kind text
    constraint schedule_firing_skip_kind_ck check (skip_kind in ('missed', 'overlap', 'nothing-new', 'refused'));
update schedule_firing
   set skip_kind = case when reason like 'The service was not running then.%' then 'missed'
                        when reason like 'Nothing new:%' then 'nothing-new'
                        when reason like 'An earlier run of this schedule,%' then 'overlap'
                        else 'refused' end
 where outcome = 'skipped';
alter table schedule_firing
  add constraint schedule_firing_skip_ck check ((outcome = 'skipped') = (skip_kind is not null));
comment on column schedule_firing.skip_kind is 'Why it made no run: missed, overlap, nothing-new, or refused; null: it made one';
alter table schedule_firing
  add column backfill_build_id bigint constraint schedule_firing_backfill_build_fk references jdk_build;
comment on column schedule_firing.backfill_build_id is 'The missed build that its run measures; null: the newest, as ever';
comment on column schedule_firing.reason is 'Why it was skipped, or which run it stopped, in a sentence';

alter table run
  add column stop_kind text constraint run_stop_kind_ck check (stop_kind in ('overlap', 'duration')),
  add column stop_reason text,
  add constraint run_stop_ck check ((stop_kind is null) = (stop_reason is null));
comment on column run.stop_kind is 'Which rule of its schedule stopped it: overlap or duration; null: none did';
comment on column run.stop_reason is 'Why it was stopped, as the beginning of a sentence';
