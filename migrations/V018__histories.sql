-- What a history shows beside its points: where the detector sees it change, what the machine's host was meanwhile, and
-- what people know of it.
--
-- A change point is made when a cell is rolled up and made again by recomputation; what was decided of it (status, the
-- look, the rerun) is not. Its point may vanish when a cell is made again without the metric: the change point, which
-- people may have dealt with, stays.
-- Of the foreign keys only point_id has an index, because points are deleted; nothing deletes or looks from workspaces,
-- builds, runs or accounts into these tables.

create table change_point (
  change_point_id bigint generated always as identity constraint change_point_pk primary key,
  workspace_id    bigint not null constraint change_point_workspace_fk references workspace,
  series_id       bigint not null constraint change_point_series_fk references series,
  jdk_build_id    bigint not null constraint change_point_jdk_build_fk references jdk_build,
  good_build_id   bigint not null constraint change_point_good_build_fk references jdk_build,
  point_id        bigint constraint change_point_point_fk references point on delete set null,
  q_hat           double precision not null,
  p               double precision not null,
  before          double precision not null,
  after           double precision not null,
  direction       text not null constraint change_point_direction_ck check (direction in ('worse', 'better')),
  standing        boolean not null,
  status          text not null default 'suspect' constraint change_point_status_ck check (status in ('suspect', 'confirmed', 'dropped')),
  confirmed_by    text constraint change_point_confirmed_by_ck check (confirmed_by in ('rerun', 'history')),
  history_change  double precision,
  history_p       double precision,
  history_reason  text,
  history_at      timestamptz,
  rerun_run_id    bigint constraint change_point_rerun_run_fk references run,
  rerun_reason    text,
  methodology     text not null,
  detected_at     timestamptz not null default now(),
  decided_at      timestamptz,
  constraint change_point_series_uq unique (series_id, jdk_build_id),
  constraint change_point_confirmed_ck check ((status = 'confirmed') = (confirmed_by is not null)),
  constraint change_point_decided_ck check ((status = 'suspect') = (decided_at is null)),
  constraint change_point_looked_ck check (history_at is not null or num_nonnulls(history_change, history_p, history_reason) = 0)
);
create index change_point_point_ix on change_point (point_id);
comment on table change_point is 'Where a series goes over to another level; a suspect until a rerun or its history confirms it';
comment on column change_point.change_point_id is 'Internal key';
comment on column change_point.workspace_id is 'Its owner';
comment on column change_point.series_id is 'The series';
comment on column change_point.jdk_build_id is 'First build of the new level; a series has one change point per build';
comment on column change_point.good_build_id is 'Newest build that is surely of the level before; jdk_build_id itself: the level moved while the build stayed, so it is no change of the JDK';
comment on column change_point.point_id is 'First point of the new level, as first seen: who may see its run may see this; null: the point is no more';
comment on column change_point.q_hat is 'The detector''s statistic, in the catalogue''s unit';
comment on column change_point.p is 'The detector''s p of the level before against the level after; says nothing of confirmation';
comment on column change_point.before is 'Mean of the level before, in the catalogue''s unit';
comment on column change_point.after is 'Mean of the new level';
comment on column change_point.direction is 'worse or better, by the metric''s better direction';
comment on column change_point.standing is 'Whether the detector still reports it as of the newest point on that server and host';
comment on column change_point.status is 'suspect → confirmed | dropped; recomputation never takes a decision back';
comment on column change_point.confirmed_by is 'rerun: builds that took turns; history: enough points on both sides; null: not confirmed';
comment on column change_point.history_change is 'The one look at its history: after against before, a ratio − 1 on the ln scale, else in the metric''s unit';
comment on column change_point.history_p is 'Likewise: two-sided p; null: too few independent points to test';
comment on column change_point.history_reason is 'Likewise: why it did not confirm; null: it did, or there was no look yet';
comment on column change_point.history_at is 'When its history was looked at, which happens once; null: not yet';
comment on column change_point.rerun_run_id is 'The run that lets both builds take turns, whose points no detector counts; null: none';
comment on column change_point.rerun_reason is 'Why there was no rerun, or what it said, in words';
comment on column change_point.methodology is 'Version of the analysis the detector''s columns were made by';
comment on column change_point.detected_at is 'When it was first seen';
comment on column change_point.decided_at is 'When it was confirmed or dropped; null: a suspect';

create table machine_host (
  machine_host_id  bigint generated always as identity constraint machine_host_pk primary key,
  workspace_id     bigint not null constraint machine_host_workspace_fk references workspace,
  machine_id       bigint not null constraint machine_host_machine_fk references machine,
  since            timestamptz not null,
  fingerprint_hash text not null,
  agent_version    text not null,
  facts            jsonb not null
);
create index machine_host_since_ix on machine_host (machine_id, since desc);
comment on table machine_host is 'What a machine''s host was: a row each time an inventory differs from the one before';
comment on column machine_host.machine_host_id is 'Internal key';
comment on column machine_host.workspace_id is 'Its owner';
comment on column machine_host.machine_id is 'The machine';
comment on column machine_host.since is 'When the agent first said so';
comment on column machine_host.fingerprint_hash is 'Host fingerprint: points of two are not comparable';
comment on column machine_host.agent_version is 'Of the agent';
comment on column machine_host.facts is 'The host facts that do not change by themselves: kernel, firmware, governor …';

create table annotation (
  annotation_id bigint generated always as identity constraint annotation_pk primary key,
  external_id   text not null constraint annotation_external_id_uq unique,
  workspace_id  bigint not null constraint annotation_workspace_fk references workspace,
  series_id     bigint not null constraint annotation_series_fk references series,
  jdk_build_id  bigint constraint annotation_jdk_build_fk references jdk_build,
  day           date not null,
  note          text not null constraint annotation_note_ck check (length(note) between 1 and 2000),
  created_by    bigint not null constraint annotation_created_by_fk references account,
  created_at    timestamptz not null default now()
);
create index annotation_series_ix on annotation (series_id, day desc);
comment on table annotation is 'What a person noted on a series; seen by whoever sees the series';
comment on column annotation.annotation_id is 'Internal key';
comment on column annotation.external_id is 'Public id, ann_…';
comment on column annotation.workspace_id is 'Its owner';
comment on column annotation.series_id is 'The series';
comment on column annotation.jdk_build_id is 'The build it is about; null: the day alone says it';
comment on column annotation.day is 'The day it is about, as its writer named it';
comment on column annotation.note is 'What was typed';
comment on column annotation.created_by is 'Who noted it';
comment on column annotation.created_at is 'When it was noted';
