-- Runs that were measured elsewhere and came in a bundle. Their numbers are made here, of what the bundle carries; that somebody
-- measured it is the word of whoever imported it. What has an id where it was measured keeps that beside its own, so that the same run
-- is not imported twice, runs of one machine share its record, and a run that is exported again is the same to the byte.

create table imported_run (
  run_id       bigint constraint imported_run_pk primary key constraint imported_run_run_fk references run,
  workspace_id bigint not null constraint imported_run_workspace_fk references workspace,
  origin_id    text not null,
  service      text not null,
  exported_at  timestamptz not null,
  imported_at  timestamptz not null,
  imported_by  text not null,
  sha256       bytea not null,
  bytes        bigint not null constraint imported_run_bytes_ck check (bytes > 0),
  constraint imported_run_origin_uq unique (workspace_id, origin_id)
);
comment on table imported_run is 'Runs that came in a bundle: measured elsewhere, not verified';
comment on column imported_run.run_id is 'The run as it is here';
comment on column imported_run.workspace_id is 'Its owner; each imports a run once';
comment on column imported_run.origin_id is 'Its external id where it was measured';
comment on column imported_run.service is 'Address of the service where it was measured, as the bundle says';
comment on column imported_run.exported_at is 'When the bundle was made, as it says';
comment on column imported_run.imported_at is 'When it was imported';
comment on column imported_run.imported_by is 'External id of the account or API token that did, or what of the service did';
comment on column imported_run.sha256 is 'Digest of the bundle';
comment on column imported_run.bytes is 'Its size';

alter table machine add column origin_id text;
create unique index machine_origin_uq on machine (workspace_id, origin_id) where origin_id is not null;
comment on column machine.origin_id is
  'Of one that no agent here owns: its external id where its imported runs were measured; null: it measures, or measured, here';

alter table trial add column origin_id text;
comment on column trial.origin_id is 'Of an imported run: its external id where it was measured; null: it was measured here';

alter table jdk_build drop constraint jdk_build_authority_ck;
alter table jdk_build add constraint jdk_build_authority_ck check (authority between -1 and 2);
comment on column jdk_build.authority is
  'Who describes it: -1 an imported run, 0 a private machine, 1 a public one, 2 a public one that is admitted to public ranks';
