-- Rolled up at ingest, so that no page does work that grows with the history.
-- A series is what stays the same along a history; what may change belongs to the point.

create table series (
  series_id         bigint generated always as identity constraint series_pk primary key,
  external_id       text not null constraint series_external_id_uq unique,
  workspace_id      bigint not null constraint series_workspace_fk references workspace,
  visibility        text not null constraint series_visibility_ck check (visibility in ('public', 'private')),
  series_key        text not null,
  family_key        text not null,
  machine_id        bigint not null constraint series_machine_fk references machine,
  server            text not null,
  variant           text not null,
  concurrency_model text not null,
  workload          text not null,
  scenario_key      text not null,
  collector         text not null,
  protocol          text not null,
  metric            text not null,
  track_feature     int not null,
  track_vendor      text not null,
  track_arch        text not null,
  created_at        timestamptz not null default now(),
  constraint series_key_uq unique (workspace_id, series_key)
);
create index series_family_ix on series (workspace_id, family_key);
comment on table series is 'The identity of a history: a canonical, versioned key';
comment on column series.series_id is 'Internal key';
comment on column series.external_id is 'Public id, ser_…';
comment on column series.workspace_id is 'Its owner';
comment on column series.visibility is 'Of its machine and matrix';
comment on column series.series_key is 'Canonical key, version first: s1|machine|server|variant|scenario|collector|jvm options|limits|placement|protocol|metric|track';
comment on column series.family_key is 'The key without the track: one chart, one line per track';
comment on column series.machine_id is 'The machine';
comment on column series.server is 'Server name';
comment on column series.variant is 'Variant name';
comment on column series.concurrency_model is 'For colour and label';
comment on column series.workload is 'Workload name';
comment on column series.scenario_key is 'Canonical scenario';
comment on column series.collector is 'Collector';
comment on column series.protocol is 'Protocol and version, such as quick/1';
comment on column series.metric is 'Name in the metric catalogue';
comment on column series.track_feature is 'JDK track: feature release';
comment on column series.track_vendor is 'JDK track: vendor';
comment on column series.track_arch is 'JDK track: architecture';
comment on column series.created_at is 'When its first point came';

create table point (
  point_id         bigint generated always as identity constraint point_pk primary key,
  workspace_id     bigint not null constraint point_workspace_fk references workspace,
  series_id        bigint not null constraint point_series_fk references series,
  run_id           bigint not null constraint point_run_fk references run,
  cell_id          bigint not null constraint point_cell_fk references cell,
  jdk_build_id     bigint not null constraint point_jdk_build_fk references jdk_build,
  measured_at      timestamptz not null,
  trials           int not null constraint point_trials_ck check (trials > 0),
  mean             double precision not null,
  low              double precision,
  high             double precision,
  trial_values     double precision[] not null,
  trial_ids        bigint[] not null,
  eligible         boolean not null,
  standing         text not null constraint point_standing_ck check (standing in ('ranked', 'provisional', 'unranked')),
  reason           text,
  server_digest    text not null,
  fingerprint_hash text not null,
  agent_version    text not null,
  constraint point_cell_uq unique (cell_id, series_id)
);
create index point_series_measured_ix on point (series_id, measured_at desc);
create index point_jdk_build_ix on point (jdk_build_id, series_id);
comment on table point is 'One cell of one run in one series: the mean over its scored trials with its interval';
comment on column point.point_id is 'Internal key';
comment on column point.workspace_id is 'Its owner';
comment on column point.series_id is 'The series';
comment on column point.run_id is 'The run';
comment on column point.cell_id is 'The cell';
comment on column point.jdk_build_id is 'The build it was measured on';
comment on column point.measured_at is 'When its last trial ended';
comment on column point.trials is 'Number of scored trials in it';
comment on column point.mean is 'Mean on the metric''s declared scale, in the catalogue''s unit';
comment on column point.low is 'Lower end of the 95 % interval; null with fewer than two trials: unknown, not zero width';
comment on column point.high is 'Upper end; null with fewer than two trials';
comment on column point.trial_values is 'Each trial''s value, in trial order';
comment on column point.trial_ids is 'The trials, same order';
comment on column point.eligible is 'Whether every trial''s value was eligible';
comment on column point.standing is 'ranked, provisional or unranked';
comment on column point.reason is 'Why not ranked';
comment on column point.server_digest is 'A change starts a new segment';
comment on column point.fingerprint_hash is 'A change starts a new segment';
comment on column point.agent_version is 'Of the agent';

create table leaderboard_entry (
  leaderboard_entry_id bigint generated always as identity constraint leaderboard_entry_pk primary key,
  workspace_id      bigint not null constraint leaderboard_entry_workspace_fk references workspace,
  visibility        text not null constraint leaderboard_entry_visibility_ck check (visibility in ('public', 'private')),
  scenario_key      text not null,
  workload          text not null,
  class_hash        text not null,
  class_label       text not null,
  machine_id        bigint not null constraint leaderboard_entry_machine_fk references machine,
  server            text not null,
  variant           text not null,
  concurrency_model text not null,
  collector         text not null,
  protocol          text not null,
  jdk_build_id      bigint not null constraint leaderboard_entry_jdk_build_fk references jdk_build,
  run_id            bigint not null constraint leaderboard_entry_run_fk references run,
  cell_id           bigint not null constraint leaderboard_entry_cell_fk references cell,
  trials            int not null,
  metrics           jsonb not null,
  standing          text not null constraint leaderboard_entry_standing_ck check (standing in ('ranked', 'provisional', 'unranked')),
  reason            text,
  measured_at       timestamptz not null,
  constraint leaderboard_entry_uq unique (workspace_id, scenario_key, machine_id, server, variant, collector, protocol, jdk_build_id)
);
create index leaderboard_entry_scenario_ix on leaderboard_entry (visibility, scenario_key, class_hash);
comment on table leaderboard_entry is 'The newest finished cell of each server, variant, collector and JDK build per scenario and machine';
comment on column leaderboard_entry.leaderboard_entry_id is 'Internal key';
comment on column leaderboard_entry.workspace_id is 'Its owner';
comment on column leaderboard_entry.visibility is 'public entries are on the public leaderboard';
comment on column leaderboard_entry.scenario_key is 'Canonical scenario';
comment on column leaderboard_entry.workload is 'Workload name';
comment on column leaderboard_entry.class_hash is 'Machine class';
comment on column leaderboard_entry.class_label is 'The class in words';
comment on column leaderboard_entry.machine_id is 'The machine';
comment on column leaderboard_entry.server is 'Server name';
comment on column leaderboard_entry.variant is 'Variant name';
comment on column leaderboard_entry.concurrency_model is 'For colour and label';
comment on column leaderboard_entry.collector is 'Collector';
comment on column leaderboard_entry.protocol is 'Protocol and version';
comment on column leaderboard_entry.jdk_build_id is 'The build';
comment on column leaderboard_entry.run_id is 'The run the numbers are from';
comment on column leaderboard_entry.cell_id is 'The cell';
comment on column leaderboard_entry.trials is 'Scored trials in it';
comment on column leaderboard_entry.metrics is 'Per metric: mean, low, high, eligible, reason, series; a metric that is absent was not measured';
comment on column leaderboard_entry.standing is 'ranked, provisional (few trials, unqualified machine, shared cores) or unranked (invalid, failed)';
comment on column leaderboard_entry.reason is 'Why not ranked';
comment on column leaderboard_entry.measured_at is 'When its last trial ended';
