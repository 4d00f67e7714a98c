-- Whether a server fails more than another has a verdict of its own.
alter table comparison drop constraint comparison_verdict_ck;
alter table comparison add constraint comparison_verdict_ck
  check (verdict in ('faster', 'slower', 'fails more', 'fails less', 'equivalent', 'inconclusive'));
comment on column comparison.verdict is 'faster, slower, of the share of failed hits fails more or fails less, equivalent or inconclusive, of the candidate; null: none, see reason';
