-- Nothing of a workspace grows without end. How much it may have are settings of the installation; workspace_limit has what
-- an administrator decided otherwise for one workspace. What is stored is counted with the uploads themselves, in their
-- transaction, since nobody can add up years of batches for each upload. What was uploaded before counts by its size.

create table workspace_limit (
  workspace_id   bigint constraint workspace_limit_pk primary key constraint workspace_limit_workspace_fk references workspace,
  stored_bytes   bigint constraint workspace_limit_stored_bytes_ck check (stored_bytes >= 0),
  artefact_bytes bigint constraint workspace_limit_artefact_bytes_ck check (artefact_bytes >= 0),
  machines       bigint constraint workspace_limit_machines_ck check (machines >= 0),
  queued_runs    bigint constraint workspace_limit_queued_runs_ck check (queued_runs >= 0),
  matrices       bigint constraint workspace_limit_matrices_ck check (matrices >= 0),
  schedules      bigint constraint workspace_limit_schedules_ck check (schedules >= 0),
  sample_days    int constraint workspace_limit_sample_days_ck check (sample_days between 0 and 36500)
);
comment on table workspace_limit is 'What a workspace may have where that is not what the settings say; written by administrators';
comment on column workspace_limit.workspace_id is 'The workspace';
comment on column workspace_limit.stored_bytes is 'Of measurements; null, here and below: as the settings say';
comment on column workspace_limit.artefact_bytes is 'Of artefacts of diagnostic trials';
comment on column workspace_limit.machines is 'Machines that are not revoked, and registrations that wait';
comment on column workspace_limit.queued_runs is 'Runs that wait';
comment on column workspace_limit.matrices is 'Matrices';
comment on column workspace_limit.schedules is 'Schedules';
comment on column workspace_limit.sample_days is 'For how many days raw samples are kept; 0: for ever';

create table workspace_usage (
  workspace_id   bigint constraint workspace_usage_pk primary key constraint workspace_usage_workspace_fk references workspace,
  stored_bytes   bigint not null default 0 constraint workspace_usage_stored_bytes_ck check (stored_bytes >= 0),
  artefact_bytes bigint not null default 0 constraint workspace_usage_artefact_bytes_ck check (artefact_bytes >= 0)
);
comment on table workspace_usage is 'What a workspace has stored, counted as it is; no row: nothing yet';
comment on column workspace_usage.workspace_id is 'The workspace';
comment on column workspace_usage.stored_bytes is 'Of measurements that are there, by batch.sample_bytes and batch.kept_bytes';
comment on column workspace_usage.artefact_bytes is 'Sum of artefact.bytes';

alter table batch
  add column sample_bytes int,
  add column kept_bytes int;
comment on column batch.sample_bytes is 'What its samples take, which some day are removed; null, as the next: not counted then';
comment on column batch.kept_bytes is 'What the rest of it takes, which is kept';

insert into workspace_usage (workspace_id, stored_bytes, artefact_bytes)
select w.workspace_id, coalesce(b.bytes, 0), coalesce(a.bytes, 0)
  from workspace w
  left join (select t.workspace_id, sum(b.bytes) as bytes from batch b join trial t using (trial_id) group by t.workspace_id) b
         using (workspace_id)
  left join (select workspace_id, sum(bytes) as bytes from artefact group by workspace_id) a using (workspace_id);

create index run_workspace_queued_ix on run (workspace_id) where state = 'queued';
