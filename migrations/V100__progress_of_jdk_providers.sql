-- What a machine's JDK provider does now, for the machine's page: a download takes minutes, and nobody saw whether one was under way.

create table machine_jdk_progress (
  machine_id bigint not null constraint machine_jdk_progress_pk primary key
             constraint machine_jdk_progress_machine_fk references machine,
  phase      text not null constraint machine_jdk_progress_phase_ck
             check (phase in ('asking', 'command', 'downloading', 'verifying', 'unpacking')),
  selector   text not null,
  bytes      bigint not null constraint machine_jdk_progress_bytes_ck check (bytes >= 0),
  of_bytes   bigint constraint machine_jdk_progress_of_ck check (of_bytes >= 0),
  at         timestamptz not null default now()
);
comment on table machine_jdk_progress is 'Machines whose JDK provider is at work, as their agents said last; no row: it is not';
comment on column machine_jdk_progress.machine_id is 'The machine';
comment on column machine_jdk_progress.phase is 'What it does';
comment on column machine_jdk_progress.selector is 'What it looks for';
comment on column machine_jdk_progress.bytes is 'Downloaded';
comment on column machine_jdk_progress.of_bytes is 'Of so many; null: not known';
comment on column machine_jdk_progress.at is 'When the agent said so';
