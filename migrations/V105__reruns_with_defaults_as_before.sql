-- A changed default may be what made a build slower. An owner has both builds measured again, the default set on both to what it was:
-- where they are equivalent then, it explains the change.

create table default_rerun (
  default_rerun_id bigint generated always as identity constraint default_rerun_pk primary key,
  workspace_id     bigint not null constraint default_rerun_workspace_fk references workspace,
  change_point_id  bigint not null constraint default_rerun_change_point_fk references change_point,
  run_id           bigint not null constraint default_rerun_run_uq unique constraint default_rerun_run_fk references run,
  comparison_id    bigint not null constraint default_rerun_comparison_fk references comparison,
  flags            text[] not null constraint default_rerun_flags_ck check (cardinality(flags) > 0),
  options          text[] not null constraint default_rerun_options_ck check (cardinality(options) > 0),
  asked_at         timestamptz not null default now()
);
create index default_rerun_change_point_ix on default_rerun (change_point_id, default_rerun_id);
comment on table default_rerun is 'Reruns of both builds of a confirmed change with changed defaults set on both to what they were';
comment on column default_rerun.default_rerun_id is 'Internal key';
comment on column default_rerun.workspace_id is 'Its owner';
comment on column default_rerun.change_point_id is 'The change';
comment on column default_rerun.run_id is 'The run that measures both';
comment on column default_rerun.comparison_id is 'The test of it that answers';
comment on column default_rerun.flags is 'Names of the flags';
comment on column default_rerun.options is 'The options of the JVM that set them';
comment on column default_rerun.asked_at is 'When an owner asked for it';
