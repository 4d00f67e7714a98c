-- What is to be measured and what was: matrix → run → cell → trial → step. A run is the unit of leasing
-- (fencing token), a trial the unit of statistical independence, a step one measured attack.

create table matrix (
  matrix_id    bigint generated always as identity constraint matrix_pk primary key,
  external_id  text not null constraint matrix_external_id_uq unique,
  workspace_id bigint not null constraint matrix_workspace_fk references workspace,
  slug         text not null constraint matrix_slug_ck check (slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  title        text not null,
  spec         jsonb not null,
  visibility   text not null default 'public' constraint matrix_visibility_ck check (visibility in ('public', 'private')),
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now(),
  archived_at  timestamptz,
  constraint matrix_slug_uq unique (workspace_id, slug)
);
comment on table matrix is 'A declared set of servers × scenarios × JDKs; presets are rows too';
comment on column matrix.matrix_id is 'Internal key';
comment on column matrix.external_id is 'Public id, mtx_…';
comment on column matrix.workspace_id is 'Its owner';
comment on column matrix.slug is 'Name in URLs';
comment on column matrix.title is 'Title for people';
comment on column matrix.spec is 'The matrix, schema loomboard.matrix/1';
comment on column matrix.visibility is 'public or private';
comment on column matrix.created_at is 'When it was made';
comment on column matrix.updated_at is 'When its spec last changed';
comment on column matrix.archived_at is 'When it was put away; null while in use';

create table schedule (
  schedule_id   bigint generated always as identity constraint schedule_pk primary key,
  external_id   text not null constraint schedule_external_id_uq unique,
  workspace_id  bigint not null constraint schedule_workspace_fk references workspace,
  slug          text not null constraint schedule_slug_ck check (slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  title         text not null,
  matrix_id     bigint not null constraint schedule_matrix_fk references matrix,
  machine_id    bigint not null constraint schedule_machine_fk references machine,
  cron          text not null,
  zone          text not null,
  jdk_selectors text[] not null,
  state         text not null default 'active' constraint schedule_state_ck check (state in ('active', 'paused')),
  created_by    bigint constraint schedule_created_by_fk references account,
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),
  constraint schedule_slug_uq unique (workspace_id, slug)
);
create index schedule_machine_ix on schedule (machine_id);
create index schedule_matrix_ix on schedule (matrix_id);
comment on table schedule is 'A matrix that runs by itself on a machine';
comment on column schedule.schedule_id is 'Internal key';
comment on column schedule.external_id is 'Public id, sch_…';
comment on column schedule.workspace_id is 'Its owner';
comment on column schedule.slug is 'Name in URLs';
comment on column schedule.title is 'Title for people';
comment on column schedule.matrix_id is 'What to run';
comment on column schedule.machine_id is 'Where';
comment on column schedule.cron is 'Quartz cron expression, six or seven fields';
comment on column schedule.zone is 'IANA time zone the cron expression is read in';
comment on column schedule.jdk_selectors is 'Replaces the matrix''s own selectors, resolved at each firing; empty: the matrix''s own';
comment on column schedule.state is 'active or paused';
comment on column schedule.created_by is 'Who made it';
comment on column schedule.created_at is 'When it was made';
comment on column schedule.updated_at is 'When it last changed';

create table run (
  run_id              bigint generated always as identity constraint run_pk primary key,
  external_id         text not null constraint run_external_id_uq unique,
  workspace_id        bigint not null constraint run_workspace_fk references workspace,
  machine_id          bigint not null constraint run_machine_fk references machine,
  matrix_id           bigint not null constraint run_matrix_fk references matrix,
  schedule_id         bigint constraint run_schedule_fk references schedule,
  title               text not null,
  visibility          text not null constraint run_visibility_ck check (visibility in ('public', 'private')),
  spec                jsonb not null,
  notices             jsonb not null default '[]',
  state               text not null default 'queued' constraint run_state_ck
                      check (state in ('queued', 'leased', 'running', 'disconnected', 'done', 'failed', 'cancelled')),
  failure             text,
  fencing             bigint not null default 0,
  attempts            int not null default 0,
  lease_expires_at    timestamptz,
  cancel_requested_at timestamptz,
  progress            jsonb not null default '{}',
  methodology         text not null,
  created_by          text not null,
  created_at          timestamptz not null default now(),
  started_at          timestamptz,
  finished_at         timestamptz
);
create index run_queue_ix on run (machine_id, created_at) where state in ('queued', 'leased', 'running', 'disconnected');
create index run_lease_ix on run (lease_expires_at) where state in ('leased', 'running');
create index run_workspace_created_ix on run (workspace_id, created_at desc);
create index run_schedule_ix on run (schedule_id, created_at desc);
comment on table run is 'One execution of a matrix on one machine; it never moves to another';
comment on column run.run_id is 'Internal key';
comment on column run.external_id is 'Public id, run_…';
comment on column run.workspace_id is 'Its owner';
comment on column run.machine_id is 'Where it runs';
comment on column run.matrix_id is 'The matrix it came from';
comment on column run.schedule_id is 'The schedule that fired it; null: by hand';
comment on column run.title is 'Title for people';
comment on column run.visibility is 'public only if matrix and machine are';
comment on column run.spec is 'The matrix as it was when the run was created';
comment on column run.notices is 'Sentences about selectors that matched nothing and the like';
comment on column run.state is 'queued → leased → running → done | failed | cancelled; disconnected while its machine is away';
comment on column run.failure is 'Why it failed, in words';
comment on column run.fencing is 'Token of the newest lease; older ones only add late, unranked data';
comment on column run.attempts is 'How often it was leased; three at most';
comment on column run.lease_expires_at is 'When the lease ends without a heartbeat';
comment on column run.cancel_requested_at is 'When a person asked to cancel it';
comment on column run.progress is 'What the agent last said: trial, phase, done, total';
comment on column run.methodology is 'Version of the analysis its numbers were made by';
comment on column run.created_by is 'External id of the account, token or schedule';
comment on column run.created_at is 'When it was queued';
comment on column run.started_at is 'When it was first leased';
comment on column run.finished_at is 'When it ended';

create table schedule_firing (
  schedule_id bigint not null constraint schedule_firing_schedule_fk references schedule on delete cascade,
  fire_at     timestamptz not null,
  run_id      bigint constraint schedule_firing_run_fk references run,
  outcome     text not null constraint schedule_firing_outcome_ck check (outcome in ('queued', 'skipped')),
  reason      text,
  constraint schedule_firing_pk primary key (schedule_id, fire_at)
);
comment on table schedule_firing is 'Each firing once, whatever the number of replicas';
comment on column schedule_firing.schedule_id is 'The schedule';
comment on column schedule_firing.fire_at is 'Its scheduled time';
comment on column schedule_firing.run_id is 'The run it made';
comment on column schedule_firing.outcome is 'queued or skipped';
comment on column schedule_firing.reason is 'Why it was skipped';

create table cell (
  cell_id           bigint generated always as identity constraint cell_pk primary key,
  external_id       text not null constraint cell_external_id_uq unique,
  workspace_id      bigint not null constraint cell_workspace_fk references workspace,
  run_id            bigint not null constraint cell_run_fk references run,
  ordinal           int not null,
  server            text not null,
  variant           text not null,
  concurrency_model text not null constraint cell_concurrency_model_ck check (concurrency_model in ('platform-threads', 'virtual-threads', 'event-loop', 'other')),
  workload          text not null,
  workload_version  int not null,
  params            jsonb not null,
  declared_delay_ms double precision not null default 0,
  load              jsonb not null,
  scenario_key      text not null,
  collector         text not null,
  jvm_options       text[] not null,
  limits            jsonb not null default '{}',
  jdk_build_id      bigint not null constraint cell_jdk_build_fk references jdk_build,
  constraint cell_ordinal_uq unique (run_id, ordinal)
);
create index cell_jdk_build_ix on cell (jdk_build_id);
comment on table cell is 'One point of a run''s matrix';
comment on column cell.cell_id is 'Internal key';
comment on column cell.external_id is 'Public id, cel_…';
comment on column cell.workspace_id is 'Its owner';
comment on column cell.run_id is 'The run';
comment on column cell.ordinal is 'Place in the matrix, from 0';
comment on column cell.server is 'Server name';
comment on column cell.variant is 'Variant name';
comment on column cell.concurrency_model is 'platform-threads, virtual-threads, event-loop, other';
comment on column cell.workload is 'Workload name';
comment on column cell.workload_version is 'Version of the workload''s specification';
comment on column cell.params is 'Workload parameters';
comment on column cell.declared_delay_ms is 'What the workload itself waits; response excess = response − this';
comment on column cell.load is 'Load profile with its numbers';
comment on column cell.scenario_key is 'Canonical key of workload + version + params + load';
comment on column cell.collector is 'Garbage collector asked for';
comment on column cell.jvm_options is 'JVM options of the owner''s matrix';
comment on column cell.limits is 'CPU and memory limits; empty: none';
comment on column cell.jdk_build_id is 'The JDK build';

create table trial (
  trial_id         bigint generated always as identity constraint trial_pk primary key,
  external_id      text not null constraint trial_external_id_uq unique,
  workspace_id     bigint not null constraint trial_workspace_fk references workspace,
  run_id           bigint not null constraint trial_run_fk references run,
  cell_id          bigint not null constraint trial_cell_fk references cell,
  kind             text not null constraint trial_kind_ck check (kind in ('scored', 'diagnostic')),
  ordinal          int not null,
  position         int not null,
  fencing          bigint not null,
  state            text not null default 'planned' constraint trial_state_ck check (state in ('planned', 'running', 'done', 'failed', 'aborted')),
  phase            text constraint trial_phase_ck check (phase in ('provision', 'start', 'verify', 'warmup', 'gc', 'settle', 'rewarm', 'measure', 'stop', 'collect')),
  validity         text constraint trial_validity_ck check (validity in ('valid', 'suspect', 'invalid')),
  reason           text,
  late             boolean not null default false,
  started_at       timestamptz,
  finished_at      timestamptz,
  skew_ns          bigint,
  server_digest    text,
  fingerprint_hash text,
  class_hash       text,
  agent_version    text,
  start_facts      jsonb not null default '{}',
  end_facts        jsonb not null default '{}',
  constraint trial_position_uq unique (run_id, fencing, position)
);
create index trial_cell_ix on trial (cell_id, kind, state);
create index trial_run_ix on trial (run_id, position);
comment on table trial is 'One execution of a cell in a fresh JVM';
comment on column trial.trial_id is 'Internal key';
comment on column trial.external_id is 'Public id, trl_…';
comment on column trial.workspace_id is 'Its owner';
comment on column trial.run_id is 'The run';
comment on column trial.cell_id is 'The cell';
comment on column trial.kind is 'scored: no agent, no recorder; diagnostic: all of them, its latency is never compared';
comment on column trial.ordinal is 'Which trial of its cell and kind, from 1';
comment on column trial.position is 'Place in the order of execution, from 0';
comment on column trial.fencing is 'Lease under which it was planned; a new lease plans new trials';
comment on column trial.state is 'planned → running → done | failed | aborted';
comment on column trial.phase is 'The phase it is in, or ended in';
comment on column trial.validity is 'Worst validity of its steps: invalid never ranks; null before any';
comment on column trial.reason is 'Why it failed, was aborted, or is not valid';
comment on column trial.late is 'Data came under a superseded lease: stored, never ranked';
comment on column trial.started_at is 'Wall-clock anchor: the agent''s time at offset 0';
comment on column trial.finished_at is 'When its last batch was stored';
comment on column trial.skew_ns is 'Agent''s clock minus the service''s, measured at the first batch';
comment on column trial.server_digest is 'SHA-256 of the server''s artefact';
comment on column trial.fingerprint_hash is 'Host fingerprint';
comment on column trial.class_hash is 'Machine class';
comment on column trial.agent_version is 'Version of the agent';
comment on column trial.start_facts is 'The start block of its first batch: command line, flags, collector …';
comment on column trial.end_facts is 'The end block of its last batch: phase times, proofs, contention, what was missing and why';

create table step (
  step_id         bigint generated always as identity constraint step_pk primary key,
  workspace_id    bigint not null constraint step_workspace_fk references workspace,
  trial_id        bigint not null constraint step_trial_fk references trial,
  ordinal         int not null,
  rate            double precision not null,
  start_ns        bigint not null,
  end_ns          bigint not null,
  offered         bigint not null,
  sent            bigint not null,
  completed       bigint not null,
  failed          bigint not null,
  unfinished      bigint not null,
  validity        text not null constraint step_validity_ck check (validity in ('valid', 'suspect', 'invalid')),
  reason          text,
  cause           text,
  health          jsonb not null,
  outcomes        jsonb not null,
  percentiles     jsonb not null,
  service         bytea not null,
  service_failed  bytea,
  response        bytea not null,
  response_failed bytea,
  lag             bytea not null,
  constraint step_ordinal_uq unique (trial_id, ordinal)
);
comment on table step is 'One measured attack at one rate';
comment on column step.step_id is 'Internal key';
comment on column step.workspace_id is 'Its owner';
comment on column step.trial_id is 'The trial';
comment on column step.ordinal is 'From 0';
comment on column step.rate is 'Offered rate, hits per second';
comment on column step.start_ns is 'First intended send, ns from the trial''s start';
comment on column step.end_ns is 'Planned end, ns from the trial''s start';
comment on column step.offered is 'Hits intended';
comment on column step.sent is 'Hits sent; a backlog that the server caused is sent after the step''s end, while it drains';
comment on column step.completed is 'Hits answered with success: sent = completed + failed + unfinished';
comment on column step.failed is 'Hits with an error or a wrong status';
comment on column step.unfinished is 'Hits cut off at the end of the drain';
comment on column step.validity is 'Health of the generator: invalid never ranks';
comment on column step.reason is 'Why not valid, in words';
comment on column step.cause is 'Such as server saturated';
comment on column step.health is 'Lag, achieved share, CPU share … of the generator';
comment on column step.outcomes is 'Status codes, error classes, bytes, throughput of the second half';
comment on column step.percentiles is 'Per kind and quantile: value in ns, whether eligible, and why not';
comment on column step.service is 'HDR V2, ns: service time of successes';
comment on column step.service_failed is 'HDR V2, ns: service time of failures; null: none';
comment on column step.response is 'HDR V2, ns: response time of successes';
comment on column step.response_failed is 'HDR V2, ns: response time of failures, timeouts at their deadline; null: none';
comment on column step.lag is 'HDR V2, ns: actual − intended send';
