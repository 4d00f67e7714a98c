-- What a machine uploaded may be wrong although server and workload are not: all of it, or one run. Retracting the version of the
-- server then took everybody's results. An owner may retract a run too; nobody edits one.

alter table retraction
  drop constraint retraction_kind_ck,
  add constraint retraction_kind_ck check (kind in ('server', 'workload', 'machine', 'run')),
  add column machine_id bigint constraint retraction_machine_fk references machine,
  add column run_id bigint constraint retraction_run_fk references run,
  add constraint retraction_machine_ck check ((kind = 'machine') = (machine_id is not null)),
  add constraint retraction_run_ck check ((kind = 'run') = (run_id is not null));
create unique index retraction_standing_machine_uq on retraction (machine_id) where withdrawn_at is null and machine_id is not null;
create unique index retraction_standing_run_uq on retraction (run_id) where withdrawn_at is null and run_id is not null;

comment on table retraction is
  'What was found wrong, of the whole installation. A row that is not withdrawn holds for all results of it, past and to come.';
comment on column retraction.kind is 'What was found wrong: a version of a server or of a workload, a machine or a run.';
comment on column retraction.name is 'Of the server or workload; workspace/slug of the machine; title of the run.';
comment on column retraction.version is
  'Of a server the digest of its artefact, of a workload the number of its version, of a machine or run its external id.';
comment on column retraction.machine_id is 'The machine; null: of another kind.';
comment on column retraction.run_id is 'The run; null: of another kind.';
comment on column retraction.retracted_by is 'The administrator, of a run also its owner; the name is public.';
