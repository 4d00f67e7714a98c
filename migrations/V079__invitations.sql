-- An owner lets people in by a link, whether they have an account yet or not. The audit log gets pages, read by key.

create table invitation (
  invitation_id bigint generated always as identity constraint invitation_pk primary key,
  external_id   text not null constraint invitation_external_id_uq unique,
  workspace_id  bigint not null constraint invitation_workspace_fk references workspace,
  token_hash    bytea not null constraint invitation_token_hash_uq unique,
  last4         text not null,
  role          text not null constraint invitation_role_ck check (role in ('owner', 'member', 'viewer')),
  uses          int not null constraint invitation_uses_ck check (uses between 1 and 100),
  used          int not null default 0,
  created_by    bigint not null constraint invitation_created_by_fk references account,
  created_at    timestamptz not null,
  expires_at    timestamptz not null,
  revoked_at    timestamptz,
  constraint invitation_used_ck check (used between 0 and uses)
);
create index invitation_workspace_ix on invitation (workspace_id);
create index invitation_created_by_ix on invitation (created_by);
comment on table invitation is 'Links by which people become members of a workspace, lbi_…';
comment on column invitation.invitation_id is 'Internal key';
comment on column invitation.external_id is 'Public id, inv_…';
comment on column invitation.workspace_id is 'Into which workspace';
comment on column invitation.token_hash is 'SHA-256 of the secret in the link';
comment on column invitation.last4 is 'Its last four characters, to recognise it';
comment on column invitation.role is 'What who accepts it becomes';
comment on column invitation.uses is 'How many people may accept it';
comment on column invitation.used is 'How many did';
comment on column invitation.created_by is 'Which owner made it; it works while that is one';
comment on column invitation.created_at is 'When it was made';
comment on column invitation.expires_at is 'When it stops working';
comment on column invitation.revoked_at is 'When it was revoked; null while it was not';

create index audit_event_workspace_ix on audit_event (workspace_id, audit_event_id desc);
drop index audit_event_workspace_at_ix;
create index audit_event_actor_ix on audit_event (actor, audit_event_id desc);
create index audit_event_action_ix on audit_event (action, audit_event_id desc);
