-- People say when they are told: not in quiet hours, or by one mail a day, which is one row of outbox with all notices since the one
-- before. Webhooks may send what opens an issue. Messages that are over are removed by their age, which needs an index.

alter table mail_choice add column zone text not null default 'UTC';
alter table mail_choice add column quiet_from time;
alter table mail_choice add column quiet_to time;
alter table mail_choice add column summary_at time;
alter table mail_choice add constraint mail_choice_quiet_ck
  check ((quiet_from is null) = (quiet_to is null) and (quiet_from is null or quiet_from <> quiet_to));
comment on column mail_choice.zone is 'IANA name of the zone of the times';
comment on column mail_choice.quiet_from is 'When the hours begin in which no mail is sent; null: there are none';
comment on column mail_choice.quiet_to is 'When they end, the day after where that is earlier';
comment on column mail_choice.summary_at is 'When the one mail of a day is sent; null: each is sent at once';

alter table outbox add column summary_at timestamptz;
alter table outbox add constraint outbox_summary_ck check (summary_at is null or notice_id is null and channel = 'mail');
create unique index outbox_summary_uq on outbox (recipient, workspace_id, summary_at) where summary_at is not null;
create index outbox_over_ix on outbox (coalesce(sent_at, next_try_at)) where state in ('sent', 'dead');
comment on column outbox.notice_id is 'What it tells; null: a summary, or somebody asked for a test message';
comment on column outbox.summary_at is 'Of which time it is the summary; null: it is none';
comment on table outbox is 'Messages to people and webhooks: one row for each recipient, channel and notice, or recipient and summary';

create table summary_notice (
  outbox_id bigint not null constraint summary_notice_outbox_fk references outbox on delete cascade,
  notice_id bigint not null constraint summary_notice_notice_fk references notice,
  constraint summary_notice_pk primary key (outbox_id, notice_id)
);
create index summary_notice_notice_ix on summary_notice (notice_id);
comment on table summary_notice is 'What a summary tells; nothing is added once somebody has begun to send it';
comment on column summary_notice.outbox_id is 'The summary';
comment on column summary_notice.notice_id is 'One of its notices';

alter table webhook drop constraint webhook_body_ck;
alter table webhook add constraint webhook_body_ck check (body in ('json', 'slack', 'github-issue'));
comment on column webhook.body is
  'json: the service''s own; slack: one text, as Slack and what is like it expect; github-issue: title and Markdown';
