-- People make workspaces, choose who sees them, and let others in as viewers, members or owners. What its owner says of a machine or
-- matrix is now kept apart from who sees it: a private workspace covers all that is in it, and uncovers it when it is public again.

alter table workspace
  add column visibility text not null default 'public'
    constraint workspace_visibility_ck check (visibility in ('public', 'private')),
  add column stated_visibility text not null default 'public'
    constraint workspace_stated_visibility_ck check (stated_visibility in ('public', 'private')),
  add column created_by bigint constraint workspace_created_by_fk references account,
  add column deleted_at timestamptz;
create index workspace_created_by_ix on workspace (created_by) where created_by is not null;
comment on column workspace.visibility is 'Who sees it and what is in it: public, or private, its members only';
comment on column workspace.stated_visibility is 'What its owners chose; an administrator who hides it covers that';
comment on column workspace.created_by is 'Who made it; null: it was there from the start';
comment on column workspace.deleted_at is 'When it was deleted: nobody is a member then, and nothing of it is seen; null: it was not';

alter table machine
  add column stated_visibility text
    constraint machine_stated_visibility_ck check (stated_visibility in ('public', 'private'));
comment on column machine.stated_visibility is
  'What its owner chose; visibility is what came of it, since its workspace may be private; null: visibility is what was chosen';
alter table matrix
  add column stated_visibility text
    constraint matrix_stated_visibility_ck check (stated_visibility in ('public', 'private'));
comment on column matrix.stated_visibility is 'As of a machine';

-- Who was a member could only read: that is a viewer now.
alter table workspace_member drop constraint workspace_member_role_ck;
update workspace_member set role = 'viewer' where role = 'member';
alter table workspace_member
  add constraint workspace_member_role_ck check (role in ('owner', 'member', 'viewer'));
comment on column workspace_member.role is
  'viewer: sees what is private; member: also starts runs, writes notes and triages; owner: everything';

alter table account add column chosen_workspace_id bigint constraint account_chosen_workspace_fk references workspace;
create index account_chosen_workspace_ix on account (chosen_workspace_id) where chosen_workspace_id is not null;
comment on column account.chosen_workspace_id is
  'Where forms put new machines, matrices and schedules unless told otherwise; null: the first by its slug';
