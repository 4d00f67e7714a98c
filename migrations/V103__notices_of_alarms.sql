-- People are told of two more things: a schedule that has no result for longer than its owners allow, and a machine that something waits
-- for and that is not heard of. Such a notice is opened by the statement that notes the alarm, and is told once as long as the alarm holds.
-- Of what somebody is told becomes a list of kinds. Who has chosen to hear what became worse hears of alarms; webhooks that are there
-- do not, because their receivers may not know them.

alter table notice
  alter column jdk_build_id drop not null,
  alter column machine_class drop not null,
  add column schedule_id bigint constraint notice_schedule_fk references schedule on delete cascade,
  add column machine_id bigint constraint notice_machine_fk references machine,
  add column since_at timestamptz,
  drop constraint notice_kind_ck,
  add constraint notice_kind_ck check (kind in ('slower', 'faster', 'fails-more', 'night-missed', 'machine-away')),
  add constraint notice_subject_ck check (
    num_nonnulls(jdk_build_id, schedule_id, machine_id) = 1
    and (machine_class is null) = (jdk_build_id is null)
    and (since_at is not null) = (jdk_build_id is null)
    and (kind = 'night-missed') = (schedule_id is not null)
    and (kind = 'machine-away') = (machine_id is not null));
create index notice_schedule_ix on notice (schedule_id) where schedule_id is not null;
create index notice_machine_ix on notice (machine_id) where machine_id is not null;
comment on table notice is
  'What a JDK build is confirmed to have changed in a workspace on machines of one class, told together; or an alarm';
comment on column notice.jdk_build_id is 'The build, first of the new level; null: it is of an alarm';
comment on column notice.machine_class is 'Hash of the machine class; of a machine without one its external id; null: it is of an alarm';
comment on column notice.schedule_id is 'Which schedule has no result; null: it is of something else';
comment on column notice.machine_id is 'Which machine is away; null: it is of something else';
comment on column notice.since_at is 'When the schedule had its last result, or when the machine was last heard of; null: it is of a build';
comment on column notice.kind is
  'slower, faster: changes of that direction; fails-more: more requests fail; night-missed: no result; machine-away: it is not heard of';
comment on column notice.ordinal is '1; of a build one more when cells are confirmed a day or more after the notice before was told';
comment on column notice.first_at is 'When the first of its cells was confirmed; of an alarm when it was noted, as there';
comment on column notice.newest_at is 'When the newest of its cells was; of an alarm as first_at';

-- A schedule that is deleted takes along what was told of it.
alter table outbox
  drop constraint outbox_notice_fk,
  add constraint outbox_notice_fk foreign key (notice_id) references notice on delete cascade;
alter table summary_notice
  drop constraint summary_notice_notice_fk,
  add constraint summary_notice_notice_fk foreign key (notice_id) references notice on delete cascade;

alter table machine add column alarmed_at timestamptz;
comment on column machine.alarmed_at is 'When the alarm that holds was told, that it is away; null: there is none, or it is not told yet';

-- A service that was away itself has heard of no machine; whether it was is all replicas' to know.
create table alarm_watch (
  alarm_watch_id int not null constraint alarm_watch_pk primary key,
  since_at       timestamptz not null,
  looked_at      timestamptz not null,
  constraint alarm_watch_one_ck check (alarm_watch_id = 1)
);
comment on table alarm_watch is 'Since when some replica has always been there to hear of machines; one row, none before the first look';
comment on column alarm_watch.alarm_watch_id is 'Always 1';
comment on column alarm_watch.since_at is 'When the watch began that goes on: none looked for some minutes before';
comment on column alarm_watch.looked_at is 'When a replica looked last for machines that are away';

alter table mail_choice add column kinds text[] not null default '{}';
update mail_choice
   set kinds = array_remove(array[
     case when slower then 'slower' end,
     case when faster then 'faster' end,
     case when fails_more then 'fails-more' end,
     case when slower then 'night-missed' end,
     case when slower then 'machine-away' end], null);
alter table mail_choice
  drop column slower,
  drop column faster,
  drop column fails_more,
  alter column kinds drop default,
  add constraint mail_choice_kinds_ck check (kinds <@ array['slower', 'faster', 'fails-more', 'night-missed', 'machine-away']);
comment on table mail_choice is 'What a person wants to be mailed of a workspace; no row: all but what is faster, and nothing for viewers';
comment on column mail_choice.kinds is 'Kinds of notices; empty: none';

alter table webhook add column kinds text[] not null default '{}';
update webhook
   set kinds = array_remove(array[
     case when slower then 'slower' end,
     case when faster then 'faster' end,
     case when fails_more then 'fails-more' end], null);
alter table webhook
  drop column slower,
  drop column faster,
  drop column fails_more,
  alter column kinds drop default,
  add constraint webhook_kinds_ck check (kinds <@ array['slower', 'faster', 'fails-more', 'night-missed', 'machine-away']);
comment on table webhook is 'Addresses of other services to which notices of a workspace are sent';
comment on column webhook.workspace_id is 'Whose notices';
comment on column webhook.kinds is 'Kinds of notices that are sent';
