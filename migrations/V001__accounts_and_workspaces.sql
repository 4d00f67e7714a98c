-- Who may do what: accounts, workspaces, and every kind of secret. Secrets are stored as SHA-256 only
-- (they are 256 random bits, so a slow hash would add nothing); passwords as Argon2id.

-- External ids are a prefix and 96 random bits in base32: this is the SQL twin of the service's own generator,
-- used only for rows that migrations create.
create function new_external_id(prefix text) returns text language sql volatile as $$
  select prefix || '_' || substr(translate(encode(sha256(gen_random_uuid()::text::bytea), 'hex'), '0189', 'wxyz'), 1, 20)
$$;
comment on function new_external_id is 'A random external id with the given type prefix, for rows made by migrations';

create table workspace (
  workspace_id bigint generated always as identity constraint workspace_pk primary key,
  external_id  text not null constraint workspace_external_id_uq unique,
  slug         text not null constraint workspace_slug_uq unique constraint workspace_slug_ck check (slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  name         text not null,
  created_at   timestamptz not null default now()
);
comment on table workspace is 'The owner of everything: machines, matrices, schedules and runs belong to exactly one';
comment on column workspace.workspace_id is 'Internal key';
comment on column workspace.external_id is 'Public id, wsp_…';
comment on column workspace.slug is 'Name in URLs, unique in the installation';
comment on column workspace.name is 'Name for people';
comment on column workspace.created_at is 'When it was made';

insert into workspace (external_id, slug, name) values (new_external_id('wsp'), 'main', 'Main');

create table account (
  account_id    bigint generated always as identity constraint account_pk primary key,
  external_id   text not null constraint account_external_id_uq unique,
  email         text not null constraint account_email_ck check (email = lower(email) and email like '%_@_%' and length(email) <= 254),
  display_name  text not null,
  password_hash text not null,
  administrator boolean not null default false,
  created_at    timestamptz not null default now(),
  disabled_at   timestamptz,
  constraint account_email_uq unique (email)
);
comment on table account is 'A person who can sign in';
comment on column account.account_id is 'Internal key';
comment on column account.external_id is 'Public id, acc_…';
comment on column account.email is 'Sign-in name, lower case';
comment on column account.display_name is 'Name shown on pages';
comment on column account.password_hash is 'Argon2id, encoded with its parameters';
comment on column account.administrator is 'May manage accounts and workspaces of the installation';
comment on column account.created_at is 'When it was made';
comment on column account.disabled_at is 'When it was disabled; null while it may sign in';

create table workspace_member (
  workspace_id bigint not null constraint workspace_member_workspace_fk references workspace,
  account_id   bigint not null constraint workspace_member_account_fk references account,
  role         text not null constraint workspace_member_role_ck check (role in ('owner', 'member')),
  created_at   timestamptz not null default now(),
  constraint workspace_member_pk primary key (workspace_id, account_id)
);
create index workspace_member_account_ix on workspace_member (account_id);
comment on table workspace_member is 'Which account belongs to which workspace';
comment on column workspace_member.workspace_id is 'The workspace';
comment on column workspace_member.account_id is 'The account';
comment on column workspace_member.role is 'owner: may register machines, schedule and run; member: may see private things';
comment on column workspace_member.created_at is 'Since when';

create table session (
  session_id   bigint generated always as identity constraint session_pk primary key,
  token_hash   bytea not null constraint session_token_hash_uq unique,
  account_id   bigint not null constraint session_account_fk references account on delete cascade,
  created_at   timestamptz not null default now(),
  expires_at   timestamptz not null,
  last_seen_at timestamptz not null default now()
);
create index session_account_ix on session (account_id);
create index session_expires_ix on session (expires_at);
comment on table session is 'A signed-in browser; a row per session so that any replica can serve it and any can end it';
comment on column session.session_id is 'Internal key';
comment on column session.token_hash is 'SHA-256 of the cookie value';
comment on column session.account_id is 'Who is signed in';
comment on column session.created_at is 'When it began';
comment on column session.expires_at is 'When it ends by itself';
comment on column session.last_seen_at is 'Last use, coarse';

create table setup_link (
  setup_link_id bigint generated always as identity constraint setup_link_pk primary key,
  token_hash    bytea not null constraint setup_link_token_hash_uq unique,
  created_at    timestamptz not null default now(),
  expires_at    timestamptz not null,
  used_at       timestamptz
);
comment on table setup_link is 'One-time links, printed at start, that make the first administrator';
comment on column setup_link.setup_link_id is 'Internal key';
comment on column setup_link.token_hash is 'SHA-256 of the secret in the link';
comment on column setup_link.created_at is 'When it was printed';
comment on column setup_link.expires_at is 'When it stops working';
comment on column setup_link.used_at is 'When it was used; null while unused';

create table api_token (
  api_token_id bigint generated always as identity constraint api_token_pk primary key,
  external_id  text not null constraint api_token_external_id_uq unique,
  workspace_id bigint not null constraint api_token_workspace_fk references workspace,
  name         text not null,
  token_hash   bytea not null constraint api_token_token_hash_uq unique,
  last4        text not null,
  scopes       text[] not null,
  created_by   bigint constraint api_token_created_by_fk references account,
  created_at   timestamptz not null default now(),
  expires_at   timestamptz,
  revoked_at   timestamptz,
  last_used_at timestamptz
);
create index api_token_workspace_ix on api_token (workspace_id);
comment on table api_token is 'Tokens for scripts, lbt_…';
comment on column api_token.api_token_id is 'Internal key';
comment on column api_token.external_id is 'Public id, tok_…';
comment on column api_token.workspace_id is 'The workspace it acts in';
comment on column api_token.name is 'What its maker called it';
comment on column api_token.token_hash is 'SHA-256 of the token';
comment on column api_token.last4 is 'Its last four characters, to recognise it';
comment on column api_token.scopes is 'What it may do: machine:register, run:write, read';
comment on column api_token.created_by is 'Who made it; null: the installation itself';
comment on column api_token.created_at is 'When it was made';
comment on column api_token.expires_at is 'When it stops working; null: never';
comment on column api_token.revoked_at is 'When it was revoked; null while good';
comment on column api_token.last_used_at is 'Last use, coarse';

create table audit_event (
  audit_event_id bigint generated always as identity constraint audit_event_pk primary key,
  workspace_id   bigint constraint audit_event_workspace_fk references workspace,
  at             timestamptz not null default now(),
  actor          text not null,
  action         text not null,
  subject        text not null,
  detail         jsonb not null default '{}'
);
create index audit_event_workspace_at_ix on audit_event (workspace_id, at desc);
comment on table audit_event is 'Who did what that matters: sign-ins, keys, machines, schedules; append only';
comment on column audit_event.audit_event_id is 'Internal key';
comment on column audit_event.workspace_id is 'The workspace it touched; null: the installation';
comment on column audit_event.at is 'When';
comment on column audit_event.actor is 'External id of the account, machine or token, or anonymous';
comment on column audit_event.action is 'A verb such as machine.register';
comment on column audit_event.subject is 'External id of what was acted on';
comment on column audit_event.detail is 'More, never a secret';
