-- An administrator keeps a run, a machine or a workspace from others while it is looked into, without saying that it is wrong: its
-- workspace and administrators still see it, and it can be shown again. visibility of what is hidden is private, so that it
-- ranks nowhere in public; hidden says that it would be public, which lets administrators see it.

create table hiding (
  hiding_id    bigint generated always as identity constraint hiding_pk primary key,
  external_id  text not null default new_external_id('hid') constraint hiding_external_id_uq unique,
  workspace_id bigint not null constraint hiding_workspace_fk references workspace,
  kind         text not null constraint hiding_kind_ck check (kind in ('run', 'machine', 'workspace')),
  machine_id   bigint constraint hiding_machine_fk references machine,
  run_id       bigint constraint hiding_run_fk references run,
  reason       text not null constraint hiding_reason_ck check (length(reason) between 1 and 2000),
  hidden_by    bigint not null constraint hiding_hidden_by_fk references account,
  hidden_at    timestamptz not null,
  shown_by     bigint constraint hiding_shown_by_fk references account,
  shown_at     timestamptz,
  constraint hiding_machine_ck check ((kind = 'machine') = (machine_id is not null)),
  constraint hiding_run_ck check ((kind = 'run') = (run_id is not null)),
  constraint hiding_shown_ck check ((shown_at is null) = (shown_by is null))
);
create unique index hiding_standing_workspace_uq on hiding (workspace_id) where kind = 'workspace' and shown_at is null;
create unique index hiding_standing_machine_uq on hiding (machine_id) where machine_id is not null and shown_at is null;
create unique index hiding_standing_run_uq on hiding (run_id) where run_id is not null and shown_at is null;
create index hiding_workspace_ix on hiding (workspace_id);
create index hiding_machine_ix on hiding (machine_id) where machine_id is not null;
create index hiding_run_ix on hiding (run_id) where run_id is not null;
create index hiding_hidden_by_ix on hiding (hidden_by);
create index hiding_shown_by_ix on hiding (shown_by) where shown_by is not null;
comment on table hiding is 'What an administrator hid from all but its workspace and administrators; a row that is not shown again holds';
comment on column hiding.hiding_id is 'Internal key';
comment on column hiding.external_id is 'Public id, hid_…';
comment on column hiding.workspace_id is 'The workspace, or that of the run or machine';
comment on column hiding.kind is 'What is hidden: run, machine or workspace';
comment on column hiding.machine_id is 'The machine; null: of another kind';
comment on column hiding.run_id is 'The run; null: of another kind';
comment on column hiding.reason is 'Why; its workspace reads it too';
comment on column hiding.hidden_by is 'The administrator who hid it';
comment on column hiding.hidden_at is 'When';
comment on column hiding.shown_by is 'The administrator who showed it again; null while it is hidden';
comment on column hiding.shown_at is 'When it was shown again; null while it is hidden';

alter table workspace add column hidden boolean not null default false;
alter table machine add column hidden boolean not null default false;
alter table matrix add column hidden boolean not null default false;
alter table run add column hidden boolean not null default false;
alter table series add column hidden boolean not null default false;
alter table leaderboard_entry add column hidden boolean not null default false;
comment on column workspace.hidden is 'It would be public, if no administrator had hidden it';
comment on column machine.hidden is 'It would be public, if no administrator had hidden it or its workspace';
comment on column matrix.hidden is 'It would be public, if no administrator had hidden its workspace';
comment on column run.hidden is 'It would be public, if no administrator had hidden it, its machine or its workspace';
comment on column series.hidden is 'It would be public, if no administrator had hidden its runs, its machine or its workspace';
comment on column leaderboard_entry.hidden is 'As its run';
