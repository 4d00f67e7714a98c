-- Messages that are over are removed by their age, which needs an index.

create index outbox_over_ix on outbox (coalesce(sent_at, next_try_at)) where state in ('sent', 'dead');

alter table webhook drop constraint webhook_body_ck;
alter table webhook add constraint webhook_body_ck check (body in ('json', 'slack', 'github-issue'));
comment on column webhook.body is
  'json: the service''s own; slack: one text, as Slack and what is like it expect; github-issue: title and Markdown';
