-- Every attempt at a machine's A/A qualification, not only the last: one that passed after three that did not says something else
-- than one that passed at once.

create table machine_qualification (
  machine_qualification_id bigint generated always as identity constraint machine_qualification_pk primary key,
  workspace_id             bigint not null constraint machine_qualification_workspace_fk references workspace,
  machine_id               bigint not null constraint machine_qualification_machine_fk references machine on delete cascade,
  measured_at              timestamptz not null,
  result                   jsonb not null,
  constraint machine_qualification_once_uq unique (machine_id, measured_at)
);
create index machine_qualification_workspace_ix on machine_qualification (workspace_id);
comment on table machine_qualification is 'Attempts at the A/A qualification of machines, those that did not pass and those that were cut short included';
comment on column machine_qualification.machine_qualification_id is 'Internal key';
comment on column machine_qualification.workspace_id is 'Workspace of the machine';
comment on column machine_qualification.machine_id is 'The machine';
comment on column machine_qualification.measured_at is 'When it was measured, by the machine''s clock';
comment on column machine_qualification.result is 'The wire''s Qualification; what it came to is judged when it is read';

insert into machine_qualification (workspace_id, machine_id, measured_at, result)
select workspace_id, machine_id, (qualification ->> 'at')::timestamptz, qualification from machine where qualification is not null;
