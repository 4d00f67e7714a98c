-- A workspace's owners may have confirmed changes sent to addresses of other services. The secret that signs what is sent stands as it
-- is: who signs needs it itself. Messages to webhooks are rows of outbox like mails.

create table webhook (
  webhook_id   bigint generated always as identity constraint webhook_pk primary key,
  external_id  text not null default new_external_id('whk') constraint webhook_external_id_uq unique,
  workspace_id bigint not null constraint webhook_workspace_fk references workspace,
  name         text not null constraint webhook_name_ck check (length(name) between 1 and 80),
  url          text not null constraint webhook_url_ck check (length(url) between 1 and 500),
  body         text not null constraint webhook_body_ck check (body in ('json', 'slack')),
  secret       bytea not null constraint webhook_secret_ck check (length(secret) = 32),
  slower       boolean not null,
  faster       boolean not null,
  fails_more   boolean not null,
  created_by   bigint not null constraint webhook_created_by_fk references account,
  created_at   timestamptz not null,
  removed_at   timestamptz
);
create index webhook_workspace_ix on webhook (workspace_id);
create index webhook_created_by_ix on webhook (created_by);
comment on table webhook is 'Addresses of other services to which confirmed changes of a workspace are sent';
comment on column webhook.webhook_id is 'Internal key';
comment on column webhook.external_id is 'Public id, whk_…; outbox.recipient of its messages';
comment on column webhook.workspace_id is 'Whose confirmed changes';
comment on column webhook.name is 'What it is for, as its owner says';
comment on column webhook.url is 'Where to; a part of it may be secret, as of Slack''s';
comment on column webhook.body is 'json: the service''s own; slack: one text, as Slack and what is like it expect';
comment on column webhook.secret is 'Key of HMAC-SHA256, by which what is sent is signed; not encrypted';
comment on column webhook.slower is 'Whether what is confirmed slower is sent';
comment on column webhook.faster is 'Whether what is confirmed faster is';
comment on column webhook.fails_more is 'Whether what is confirmed to fail more is';
comment on column webhook.created_by is 'Which owner made it';
comment on column webhook.created_at is 'When';
comment on column webhook.removed_at is 'When an owner removed it; null: it is there';
