-- What is done about a suspected change: a run that lets the last good build and the new one take turns (a follow-up),
-- and, once it is confirmed, what people say of it. Both stand beside the detector's columns, so that making those
-- again changes neither.

alter table run
  add column follow_up boolean not null default false,
  add column planned_trials int constraint run_planned_trials_ck check (planned_trials > 0),
  add column planned_seconds double precision constraint run_planned_seconds_ck check (planned_seconds > 0);
comment on column run.follow_up is 'Made by the service because changes are suspected (change_point.rerun_run_id): its points are shown and counted by no detector';
comment on column run.planned_trials is 'Trials of all its cells when it was queued; null: queued before this was stored';
comment on column run.planned_seconds is 'What they take at most, roughly; null: queued before this was stored';

alter table machine add column reruns boolean not null default true;
comment on column machine.reruns is 'Whether suspected changes are followed up on it by themselves; its owners say so';

create index run_follow_up_ix on run (machine_id) where follow_up and state in ('queued', 'leased', 'running', 'disconnected');
comment on index run_follow_up_ix is 'A machine has one follow-up at a time';

alter table change_point
  add column external_id text not null default new_external_id('chg') constraint change_point_external_id_uq unique,
  add column rerun_comparison_id bigint constraint change_point_rerun_comparison_fk references comparison,
  add column triage text not null default 'open'
    constraint change_point_triage_ck check (triage in ('open', 'acknowledged', 'expected', 'fixed')),
  add column triage_owner_id bigint constraint change_point_triage_owner_fk references account;
comment on column change_point.external_id is 'Public id, chg_…';
comment on column change_point.rerun_comparison_id is 'The test of the follow-up that answers; null: no follow-up, or none declared on this metric';
comment on column change_point.triage is 'What people say of a confirmed regression; the newest of regression_event';
comment on column change_point.triage_owner_id is 'Who looks after it; null: nobody';

create index change_point_waiting_ix on change_point (detected_at desc) where status = 'suspect' and rerun_run_id is null and rerun_reason is null;
create index change_point_rerun_ix on change_point (rerun_run_id) where rerun_run_id is not null;
create index change_point_status_ix on change_point (status, detected_at desc);
create index change_point_confirmed_ix on change_point (decided_at desc) where status = 'confirmed';
create index change_point_jdk_build_ix on change_point (jdk_build_id);

create table regression_event (
  regression_event_id bigint generated always as identity constraint regression_event_pk primary key,
  workspace_id        bigint not null constraint regression_event_workspace_fk references workspace,
  change_point_id     bigint not null constraint regression_event_change_point_fk references change_point,
  at                  timestamptz not null default now(),
  account_id          bigint not null constraint regression_event_account_fk references account,
  was                 text not null constraint regression_event_was_ck check (was in ('open', 'acknowledged', 'expected', 'fixed')),
  becomes             text not null constraint regression_event_becomes_ck check (becomes in ('open', 'acknowledged', 'expected', 'fixed')),
  owner_id            bigint constraint regression_event_owner_fk references account,
  note                text not null default '' constraint regression_event_note_ck check (length(note) <= 4000)
);
create index regression_event_change_point_ix on regression_event (change_point_id, at);
comment on table regression_event is 'What people said of a regression, one after the other; never changed';
comment on column regression_event.regression_event_id is 'Internal key';
comment on column regression_event.workspace_id is 'Its owner';
comment on column regression_event.change_point_id is 'The regression';
comment on column regression_event.at is 'When';
comment on column regression_event.account_id is 'Who';
comment on column regression_event.was is 'Its state before';
comment on column regression_event.becomes is 'Its state after; the same: a note or another owner';
comment on column regression_event.owner_id is 'Who looks after it from then on; null: nobody';
comment on column regression_event.note is 'Why, as it was typed; empty: nothing was';
