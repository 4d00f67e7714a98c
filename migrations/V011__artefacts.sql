-- What a diagnostic trial leaves besides its batches: a summary of its recording, flame graph stacks, the heap's
-- classes, the JVM's log. Each is stored once under its name, with its digest, so that sending it again is harmless.
-- Kept in the database like all else: a replica has no disk of its own, and PostgreSQL compresses them.

create table artefact (
  trial_id     bigint not null constraint artefact_trial_fk references trial,
  name         text not null constraint artefact_name_ck check (name in ('diagnosis.json', 'stacks.txt', 'classes.json', 'jvm.log')),
  workspace_id bigint not null constraint artefact_workspace_fk references workspace,
  sha256       bytea not null,
  bytes        int not null constraint artefact_bytes_ck check (bytes >= 0),
  content      bytea not null,
  received_at  timestamptz not null default now(),
  constraint artefact_pk primary key (trial_id, name)
);
create index artefact_workspace_ix on artefact (workspace_id) include (bytes);
comment on table artefact is 'Files of diagnostic trials';
comment on column artefact.trial_id is 'The trial';
comment on column artefact.name is 'What it is, and its name in URLs';
comment on column artefact.workspace_id is 'Whose quota it counts against';
comment on column artefact.sha256 is 'Digest of the content: same again is 204, another is 409';
comment on column artefact.bytes is 'Size of the content';
comment on column artefact.content is 'As it was sent, unpacked';
comment on column artefact.received_at is 'When it was stored';
