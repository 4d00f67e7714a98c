-- A version of a server or a workload that was found wrong is retracted across all results. A retraction is a row that
-- queries look up; no result is changed or deleted by it, so a retraction that is withdrawn leaves nothing to mend but ranks.
-- The accounts' foreign keys have no index: nothing looks from accounts into it, and accounts are never deleted.

create table retraction (
  retraction_id bigint generated always as identity constraint retraction_pk primary key,
  external_id   text not null default new_external_id('ret') constraint retraction_external_id_uq unique,
  kind          text not null constraint retraction_kind_ck check (kind in ('server', 'workload')),
  name          text not null,
  version       text not null,
  reason        text not null constraint retraction_reason_ck check (length(reason) between 1 and 2000),
  retracted_by  bigint not null constraint retraction_retracted_by_fk references account,
  retracted_at  timestamptz not null,
  withdrawn_by  bigint constraint retraction_withdrawn_by_fk references account,
  withdrawn_at  timestamptz,
  withdrawal    text constraint retraction_withdrawal_ck check (length(withdrawal) between 1 and 2000),
  constraint retraction_withdrawn_ck check (num_nulls(withdrawn_by, withdrawn_at, withdrawal) in (0, 3))
);
create unique index retraction_standing_uq on retraction (kind, name, version) where withdrawn_at is null;

comment on table retraction is 'Versions found wrong, of the whole installation. A row that is not withdrawn holds for all results, past and to come.';
comment on column retraction.retraction_id is 'Internal key.';
comment on column retraction.external_id is 'Random public id, ret_….';
comment on column retraction.kind is 'What was found wrong: server or workload.';
comment on column retraction.name is 'Of the server or workload.';
comment on column retraction.version is 'Of a server the digest of its artefact, of a workload the number of its version.';
comment on column retraction.reason is 'What was found wrong, in words; public.';
comment on column retraction.retracted_by is 'The administrator; the name is public.';
comment on column retraction.retracted_at is 'When.';
comment on column retraction.withdrawn_by is 'The administrator who took it back; null: it stands.';
comment on column retraction.withdrawn_at is 'When; null: it stands.';
comment on column retraction.withdrawal is 'Why it was taken back, in words; public. Null: it stands.';

alter table leaderboard_entry add column server_digest text not null default 'unknown';
update leaderboard_entry e set server_digest = p.server_digest from point p where p.cell_id = e.cell_id;
comment on column leaderboard_entry.server_digest is 'SHA-256 of the server''s artefact, of the newest scored trial that knows it; unknown: none does.';
