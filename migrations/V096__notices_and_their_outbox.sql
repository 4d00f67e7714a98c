-- What a build is confirmed to have changed is told to people, once: a notice gathers its cells in the transaction that confirms them, and
-- the outbox has one row, with one Message-ID, for each message, however many replicas send. A row that a replica took and did not finish
-- is taken again when its lease is over: that is counted, and the message keeps its id.

create table notice (
  notice_id     bigint generated always as identity constraint notice_pk primary key,
  external_id   text not null default new_external_id('ntc') constraint notice_external_id_uq unique,
  workspace_id  bigint not null constraint notice_workspace_fk references workspace,
  jdk_build_id  bigint not null constraint notice_jdk_build_fk references jdk_build,
  machine_class text not null,
  kind          text not null constraint notice_kind_ck check (kind in ('slower', 'faster', 'fails-more')),
  ordinal       int not null constraint notice_ordinal_ck check (ordinal > 0),
  first_at      timestamptz not null,
  newest_at     timestamptz not null,
  told_at       timestamptz,
  constraint notice_cause_uq unique (workspace_id, jdk_build_id, machine_class, kind, ordinal)
);
create index notice_waiting_ix on notice (first_at) where told_at is null;
comment on table notice is 'What one JDK build is confirmed to have changed in one workspace on machines of one class, told together';
comment on column notice.notice_id is 'Internal key';
comment on column notice.external_id is 'Public id, ntc_…';
comment on column notice.workspace_id is 'Whose results they are';
comment on column notice.jdk_build_id is 'The build, first of the new level';
comment on column notice.machine_class is 'Hash of the machine class; of a machine without one its external id';
comment on column notice.kind is 'slower and faster: changes of that direction, whatever their metric; fails-more: more requests fail';
comment on column notice.ordinal is '1; one more when cells are confirmed a day or more after the notice before was told';
comment on column notice.first_at is 'When the first of its cells was confirmed';
comment on column notice.newest_at is 'When the newest of its cells was';
comment on column notice.told_at is 'When it was closed and its messages written to the outbox; null: it gathers';

create table notice_cell (
  notice_cell_id  bigint generated always as identity constraint notice_cell_pk primary key,
  notice_id       bigint not null constraint notice_cell_notice_fk references notice,
  change_point_id bigint constraint notice_cell_change_point_fk references change_point on delete cascade
                  constraint notice_cell_change_point_uq unique,
  comparison_id   bigint constraint notice_cell_comparison_fk references comparison on delete cascade
                  constraint notice_cell_comparison_uq unique,
  confirmed_at    timestamptz not null,
  constraint notice_cell_one_ck check (num_nonnulls(change_point_id, comparison_id) = 1)
);
create index notice_cell_notice_ix on notice_cell (notice_id);
comment on table notice_cell is 'One confirmed change of a notice; each change is in one notice';
comment on column notice_cell.notice_cell_id is 'Internal key';
comment on column notice_cell.notice_id is 'The notice';
comment on column notice_cell.change_point_id is 'The confirmed change; null: a rerun found that more requests fail';
comment on column notice_cell.comparison_id is 'The rerun''s test of the share of failed requests; null: it is a change of a history';
comment on column notice_cell.confirmed_at is 'When it was confirmed; after notice.told_at: only pages show it';

create table outbox (
  outbox_id     bigint generated always as identity constraint outbox_pk primary key,
  external_id   text not null default new_external_id('out') constraint outbox_external_id_uq unique,
  workspace_id  bigint not null constraint outbox_workspace_fk references workspace,
  notice_id     bigint constraint outbox_notice_fk references notice,
  channel       text not null constraint outbox_channel_ck check (channel in ('mail', 'webhook')),
  recipient     text not null,
  message_id    text not null default new_external_id('msg') constraint outbox_message_id_uq unique,
  state         text not null default 'waiting'
                constraint outbox_state_ck check (state in ('waiting', 'sending', 'sent', 'failed', 'dead')),
  attempts      int not null default 0,
  resends       int not null default 0,
  created_at    timestamptz not null,
  next_try_at   timestamptz not null,
  lease_until   timestamptz,
  sent_at       timestamptz,
  last_error    text,
  constraint outbox_message_uq unique (notice_id, channel, recipient),
  constraint outbox_lease_ck check ((state = 'sending') = (lease_until is not null)),
  constraint outbox_sent_ck check ((state = 'sent') = (sent_at is not null))
);
create index outbox_due_ix on outbox (next_try_at) where state in ('waiting', 'failed');
create index outbox_lease_ix on outbox (lease_until) where state = 'sending';
create index outbox_recipient_ix on outbox (recipient, outbox_id desc);
comment on table outbox is 'Messages to people and webhooks: one row for each recipient, channel and notice';
comment on column outbox.outbox_id is 'Internal key';
comment on column outbox.external_id is 'Public id, out_…';
comment on column outbox.workspace_id is 'Of which workspace the message tells';
comment on column outbox.notice_id is 'What it tells; null: somebody asked for a test message';
comment on column outbox.channel is 'How it is sent';
comment on column outbox.recipient is 'External id of the account, or of the webhook: addresses are looked up when it is sent';
comment on column outbox.message_id is 'The same at each attempt, so that receivers know it again; a mail''s Message-ID begins with it';
comment on column outbox.state is 'sending: a replica has it until lease_until; failed: to be tried again at next_try_at; dead: given up';
comment on column outbox.attempts is 'How often sending was begun; whoever has it may change the row while this is as it was';
comment on column outbox.resends is 'Of these, begun although the one before may have been accepted: its replica did not come back';
comment on column outbox.created_at is 'When it was written';
comment on column outbox.next_try_at is 'Not to be sent before';
comment on column outbox.lease_until is 'When others may take it; null: nobody has it';
comment on column outbox.sent_at is 'When the receiver had accepted it';
comment on column outbox.last_error is 'Why the last attempt failed, or why there will be none; null: none failed';

create table mail_choice (
  account_id   bigint not null constraint mail_choice_account_fk references account on delete cascade,
  workspace_id bigint not null constraint mail_choice_workspace_fk references workspace,
  slower       boolean not null,
  faster       boolean not null,
  fails_more   boolean not null,
  constraint mail_choice_pk primary key (account_id, workspace_id)
);
create index mail_choice_workspace_ix on mail_choice (workspace_id);
comment on table mail_choice is 'What a person wants to be mailed of a workspace; no row: slower and fails more, and nothing for viewers';
comment on column mail_choice.account_id is 'Who';
comment on column mail_choice.workspace_id is 'Of which workspace';
comment on column mail_choice.slower is 'What is confirmed slower';
comment on column mail_choice.faster is 'What is confirmed faster';
comment on column mail_choice.fails_more is 'What is confirmed to fail more';

create table unsubscribe_key (
  unsubscribe_key_id int not null constraint unsubscribe_key_pk primary key,
  secret             bytea not null constraint unsubscribe_key_secret_ck check (length(secret) = 32),
  constraint unsubscribe_key_one_ck check (unsubscribe_key_id = 1)
);
insert into unsubscribe_key values
  (1, sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')));
comment on table unsubscribe_key is 'By which all replicas sign links that end mails; one row, whose replacement ends all links of before';
comment on column unsubscribe_key.unsubscribe_key_id is 'Always 1';
comment on column unsubscribe_key.secret is 'Key of HMAC-SHA256, made of 366 random bits';
