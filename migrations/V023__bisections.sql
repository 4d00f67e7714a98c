-- Which of the builds between the last good one and the first of the new level brought a confirmed change: a person
-- starts the search once its cost is known, and each step lets one build and the last good one take turns.

create index jdk_build_lineage_ix on jdk_build (lineage_hash, architecture, build_order);
comment on index jdk_build_lineage_ix is 'Builds that lie between two of one lineage';

create table bisection (
  bisection_id   bigint generated always as identity constraint bisection_pk primary key,
  external_id    text not null default new_external_id('bis') constraint bisection_external_id_uq unique,
  workspace_id   bigint not null constraint bisection_workspace_fk references workspace,
  change_point_id bigint not null constraint bisection_change_point_fk references change_point,
  comparison_id  bigint not null constraint bisection_comparison_fk references comparison,
  account_id     bigint not null constraint bisection_account_fk references account,
  state          text not null default 'running' constraint bisection_state_ck check (state in ('running', 'done', 'cancelled', 'failed')),
  reason         text,
  builds         bigint[] not null constraint bisection_builds_ck check (cardinality(builds) >= 3),
  effect         double precision not null,
  low            double precision not null,
  high           double precision not null,
  effect_blocks  int not null,
  blocks         int not null constraint bisection_blocks_ck check (blocks >= 3),
  expected_steps int not null,
  most_steps     int not null constraint bisection_steps_ck check (most_steps >= expected_steps and expected_steps >= 1),
  trial_seconds  double precision not null,
  methodology    text not null,
  started_at     timestamptz not null default now(),
  ended_at       timestamptz,
  constraint bisection_ended_ck check ((state = 'running') = (ended_at is null) and (ended_at is null) = (reason is null))
);
create index bisection_change_point_ix on bisection (change_point_id, bisection_id);
create unique index bisection_running_uq on bisection (change_point_id) where state = 'running';
comment on table bisection is 'A search for the build that brought a confirmed change, and what it was to cost';
comment on column bisection.bisection_id is 'Internal key';
comment on column bisection.external_id is 'Public id, bis_…';
comment on column bisection.workspace_id is 'Its owner';
comment on column bisection.change_point_id is 'The change; the newest bisection of one is shown';
comment on column bisection.comparison_id is 'The test of the rerun that knows effect and spread, and whose run and cells the steps repeat';
comment on column bisection.account_id is 'Who started it, having seen what it costs';
comment on column bisection.state is 'running → done | cancelled | failed';
comment on column bisection.reason is 'Why it ended, in words';
comment on column bisection.builds is 'jdk_build_id from the last good one to the first of the new level, in the order of the history: what the machine had when it was started';
comment on column bisection.effect is 'Of the rerun, first build of the new level ÷ last good one, as it was when it was started';
comment on column bisection.low is 'Lower end of its 95 % interval';
comment on column bisection.high is 'Upper end';
comment on column bisection.effect_blocks is 'Paired blocks that these are made of';
comment on column bisection.blocks is 'Paired blocks of each step';
comment on column bisection.expected_steps is 'Printed before it was started';
comment on column bisection.most_steps is 'It ends after so many, whatever is known then';
comment on column bisection.trial_seconds is 'What a trial of the rerun took in the mean: cost = steps × blocks × 2 × this';
comment on column bisection.methodology is 'Version of the analysis';
comment on column bisection.started_at is 'When it was started';
comment on column bisection.ended_at is 'When it ended; null: it is under way';

create table bisection_step (
  bisection_step_id bigint generated always as identity constraint bisection_step_pk primary key,
  workspace_id      bigint not null constraint bisection_step_workspace_fk references workspace,
  bisection_id      bigint not null constraint bisection_step_bisection_fk references bisection,
  ordinal           int not null,
  jdk_build_id      bigint not null constraint bisection_step_jdk_build_fk references jdk_build,
  run_id            bigint constraint bisection_step_run_fk references run,
  state             text not null constraint bisection_step_state_ck check (state in ('queued', 'measured', 'invalid')),
  blocks            int,
  effect            double precision,
  low               double precision,
  high              double precision,
  reason            text,
  posterior         double precision[],
  queued_at         timestamptz not null default now(),
  heard_at          timestamptz,
  constraint bisection_step_ordinal_uq unique (bisection_id, ordinal),
  constraint bisection_step_measured_ck check ((state = 'measured') = (num_nonnulls(blocks, effect, low, high, posterior) = 5)),
  constraint bisection_step_reason_ck check ((state = 'invalid') = (reason is not null)),
  constraint bisection_step_heard_ck check ((state = 'queued') = (heard_at is null))
);
create unique index bisection_step_run_uq on bisection_step (run_id);
create unique index bisection_step_queued_uq on bisection_step (bisection_id) where state = 'queued';
comment on table bisection_step is 'One build measured against the last good one, and what is believed after it';
comment on column bisection_step.bisection_step_id is 'Internal key';
comment on column bisection_step.workspace_id is 'Its owner';
comment on column bisection_step.bisection_id is 'The search';
comment on column bisection_step.ordinal is 'From 1';
comment on column bisection_step.jdk_build_id is 'The build that was measured';
comment on column bisection_step.run_id is 'The run in which both took turns; null: none could be queued';
comment on column bisection_step.state is 'queued → measured | invalid; what is invalid changes no belief and is repeated';
comment on column bisection_step.blocks is 'Paired blocks that could be used';
comment on column bisection_step.effect is 'The build ÷ the last good one';
comment on column bisection_step.low is 'Lower end of its 95 % interval';
comment on column bisection_step.high is 'Upper end';
comment on column bisection_step.reason is 'Why it is invalid';
comment on column bisection_step.posterior is 'After it, for each of bisection.builds but the first: how probable it is that the change came with that build; null: it changed no belief';
comment on column bisection_step.queued_at is 'When its run was queued';
comment on column bisection_step.heard_at is 'When what it measured was taken in';
