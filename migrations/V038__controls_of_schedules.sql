-- Each run that a schedule fires also measures each of its cells on one build that stays: the schedule's control. What a night
-- does to both falls out of new build ÷ control. The service chooses the build at the first firing and keeps it; it changes when an
-- owner says so or when the build can no longer be used, and then nights before are not set against nights after.
-- The foreign keys have no index: nothing looks from builds into them, and builds are never deleted.

alter table schedule
  add column control boolean not null default true,
  add column control_build_id bigint constraint schedule_control_build_fk references jdk_build,
  add column control_since timestamptz,
  add column control_note text,
  add constraint schedule_control_ck check ((control_build_id is null) = (control_since is null));
comment on column schedule.control is 'Whether the runs it fires have a control; its owners say so';
comment on column schedule.control_build_id is 'The build that stays; null: none was chosen yet, or the machine has none';
comment on column schedule.control_since is 'When that build was chosen';
comment on column schedule.control_note is 'Why that build, or why there is none any more, in a sentence; null: nothing was chosen yet';

alter table run
  add column control_build_id bigint constraint run_control_build_fk references jdk_build;
comment on column run.control_build_id is 'The build that stays from night to night and that its cells ran on too; null: it has no control';
