-- What a build changed is often a default: all flags of a JVM that is given no options, as the machine's agent reads them once for each
-- build and each host that the machine becomes. What the JVM chose by what it found there can be compared only on one host.

create table machine_jdk_flags (
  machine_id       bigint not null,
  jdk_build_id     bigint not null,
  fingerprint_hash text not null,
  flags            jsonb not null,
  read_at          timestamptz not null default now(),
  constraint machine_jdk_flags_pk primary key (machine_id, jdk_build_id),
  constraint machine_jdk_flags_machine_jdk_fk foreign key (machine_id, jdk_build_id) references machine_jdk
);
create index machine_jdk_flags_jdk_build_ix on machine_jdk_flags (jdk_build_id);
create index machine_jdk_flags_read_ix on machine_jdk_flags (machine_id, read_at);
comment on table machine_jdk_flags is 'Flags of a build''s JVM that is given no options, on a machine; of a machine the newest 200';
comment on column machine_jdk_flags.machine_id is 'The machine';
comment on column machine_jdk_flags.jdk_build_id is 'The build';
comment on column machine_jdk_flags.fingerprint_hash is 'The host that they were read on';
comment on column machine_jdk_flags.flags is 'Name to value, kind and origin, as the agent''s JdkFlags';
comment on column machine_jdk_flags.read_at is 'When they were reported';
