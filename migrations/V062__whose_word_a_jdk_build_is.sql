-- A build is described by whom to believe most: an admitted machine, another public one, or a private one. Before, the first report
-- decided for all pages, a private machine's of another workspace too. What later reports say otherwise is kept beside it.

alter table jdk_build add column authority smallint not null default 0
  constraint jdk_build_authority_ck check (authority between 0 and 2);
update jdk_build b set authority = 2
 where exists (select from machine_jdk h join machine m using (machine_id)
                where h.jdk_build_id = b.jdk_build_id and m.visibility = 'public' and m.admitted_at is not null);
comment on column jdk_build.authority is
  'Whose report it is described by: 0 a private machine''s, 1 a public one''s, 2 a public one''s that is admitted to public ranks';

create table jdk_build_conflict (
  jdk_build_id bigint not null constraint jdk_build_conflict_jdk_build_fk references jdk_build,
  machine_id   bigint not null constraint jdk_build_conflict_machine_fk references machine,
  claims       text[] not null constraint jdk_build_conflict_claims_ck check (cardinality(claims) > 0),
  reported_at  timestamptz not null default now(),
  constraint jdk_build_conflict_pk primary key (jdk_build_id, machine_id)
);
create index jdk_build_conflict_machine_ix on jdk_build_conflict (machine_id);
comment on table jdk_build_conflict is 'What the newest inventory of a machine says otherwise of a build than its row does';
comment on column jdk_build_conflict.jdk_build_id is 'The build';
comment on column jdk_build_conflict.machine_id is 'The machine; who sees it sees the conflict';
comment on column jdk_build_conflict.claims is 'In words, each field and what the machine says of it';
comment on column jdk_build_conflict.reported_at is 'When it last said so';
