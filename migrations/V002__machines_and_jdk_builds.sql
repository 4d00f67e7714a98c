-- Runner machines and the JDK builds they hold. A host fingerprint is kept apart from everything about JDK,
-- server and workload; a JDK build's identity is by digest, so that two machines with the same build agree on it.

create table machine (
  machine_id       bigint generated always as identity constraint machine_pk primary key,
  external_id      text not null constraint machine_external_id_uq unique,
  workspace_id     bigint not null constraint machine_workspace_fk references workspace,
  slug             text not null constraint machine_slug_ck check (slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  name             text not null,
  visibility       text not null default 'public' constraint machine_visibility_ck check (visibility in ('public', 'private')),
  agent_key_hash   bytea constraint machine_agent_key_hash_uq unique,
  agent_key_last4  text,
  agent_version    text,
  registered_at    timestamptz not null default now(),
  revoked_at       timestamptz,
  last_seen_at     timestamptz,
  qualified_at     timestamptz,
  fingerprint_hash text,
  class_hash       text,
  class_label      text,
  fingerprint      jsonb not null default '{}',
  inventory        jsonb not null default '{}',
  constraint machine_slug_uq unique (workspace_id, slug)
);
create index machine_class_ix on machine (class_hash);
comment on table machine is 'A registered runner machine';
comment on column machine.machine_id is 'Internal key';
comment on column machine.external_id is 'Public id, mac_…';
comment on column machine.workspace_id is 'Its owner';
comment on column machine.slug is 'Name in URLs, unique in the workspace';
comment on column machine.name is 'Name for people';
comment on column machine.visibility is 'public: anonymous people see it and its runs; private: members only';
comment on column machine.agent_key_hash is 'SHA-256 of the agent''s key; null once revoked';
comment on column machine.agent_key_last4 is 'Last four characters of the key, to recognise it';
comment on column machine.agent_version is 'Version of the agent at its last inventory';
comment on column machine.registered_at is 'When it registered';
comment on column machine.revoked_at is 'When its key was revoked; null while good';
comment on column machine.last_seen_at is 'Last call of its agent';
comment on column machine.qualified_at is 'When it passed the A/A qualification; null: its results are provisional';
comment on column machine.fingerprint_hash is 'Host fingerprint of the last inventory';
comment on column machine.class_hash is 'Machine class of the last inventory, for leaderboards';
comment on column machine.class_label is 'The class in words';
comment on column machine.fingerprint is 'The host facts themselves';
comment on column machine.inventory is 'Servers, workloads and excluded JDKs as the agent listed them: names, never paths';

create table registration_token (
  registration_token_id bigint generated always as identity constraint registration_token_pk primary key,
  external_id  text not null constraint registration_token_external_id_uq unique,
  workspace_id bigint not null constraint registration_token_workspace_fk references workspace,
  token_hash   bytea not null constraint registration_token_token_hash_uq unique,
  last4        text not null,
  machine_slug text not null,
  machine_name text not null,
  visibility   text not null constraint registration_token_visibility_ck check (visibility in ('public', 'private')),
  created_by   text not null,
  created_at   timestamptz not null default now(),
  expires_at   timestamptz not null,
  used_at      timestamptz,
  machine_id   bigint constraint registration_token_machine_fk references machine
);
create index registration_token_workspace_ix on registration_token (workspace_id, created_at desc);
comment on table registration_token is 'One-time tokens, lbr_…, with which a machine registers';
comment on column registration_token.registration_token_id is 'Internal key';
comment on column registration_token.external_id is 'Public id, reg_…';
comment on column registration_token.workspace_id is 'The workspace the machine will belong to';
comment on column registration_token.token_hash is 'SHA-256 of the token';
comment on column registration_token.last4 is 'Its last four characters';
comment on column registration_token.machine_slug is 'Slug the machine gets';
comment on column registration_token.machine_name is 'Name the machine gets';
comment on column registration_token.visibility is 'Visibility the machine gets';
comment on column registration_token.created_by is 'External id of the account or API token that made it';
comment on column registration_token.created_at is 'When it was made';
comment on column registration_token.expires_at is 'When it stops working';
comment on column registration_token.used_at is 'When it was used; null while unused';
comment on column registration_token.machine_id is 'The machine that used it';

create table jdk_build (
  jdk_build_id    bigint generated always as identity constraint jdk_build_pk primary key,
  slug            text not null constraint jdk_build_slug_uq unique,
  identity        text not null constraint jdk_build_identity_uq unique,
  vendor          text not null,
  runtime_version text not null,
  feature         int  not null constraint jdk_build_feature_ck check (feature between 8 and 999),
  availability    text not null constraint jdk_build_availability_ck check (availability in ('ea', 'ga')),
  architecture    text not null,
  build_order     bigint[] not null,
  lineage         jsonb not null,
  lineage_hash    text not null,
  first_seen_at   timestamptz not null default now()
);
create index jdk_build_feature_ix on jdk_build (feature, build_order);
comment on table jdk_build is 'One exact JDK; a fact about the world, owned by nobody';
comment on column jdk_build.jdk_build_id is 'Internal key';
comment on column jdk_build.slug is 'Name in URLs, such as temurin-25.0.3_9-amd64';
comment on column jdk_build.identity is 'Digest of vendor, runtime version, architecture, lib/modules and libjvm';
comment on column jdk_build.vendor is 'Who built it, short: temurin, debian';
comment on column jdk_build.runtime_version is 'java.runtime.version';
comment on column jdk_build.feature is 'Feature release';
comment on column jdk_build.availability is 'ea: early access; ga: general availability';
comment on column jdk_build.architecture is 'amd64, aarch64';
comment on column jdk_build.build_order is 'Version numbers and build number, compared as an array: the order along a history';
comment on column jdk_build.lineage is 'Vendor, compiler, libc, debug level, configure options, CDS';
comment on column jdk_build.lineage_hash is 'Hash of the lineage: across two of them a difference is one of distribution';
comment on column jdk_build.first_seen_at is 'When a machine first named it';

create table machine_jdk (
  machine_id   bigint not null constraint machine_jdk_machine_fk references machine,
  jdk_build_id bigint not null constraint machine_jdk_jdk_build_fk references jdk_build,
  present      boolean not null,
  seen_at      timestamptz not null default now(),
  constraint machine_jdk_pk primary key (machine_id, jdk_build_id)
);
comment on table machine_jdk is 'Which builds a machine has, or once had';
comment on column machine_jdk.machine_id is 'The machine';
comment on column machine_jdk.jdk_build_id is 'The build';
comment on column machine_jdk.present is 'Whether the last inventory named it';
comment on column machine_jdk.seen_at is 'When an inventory last named it';
