-- Response − declared delay in a histogram of its own: in that of response times a bucket is a thousandth of the delay wide.
alter table step add column excess bytea, add column below_delay bigint
  constraint step_below_delay_ck check (below_delay >= 0);
alter table load_window add column excess bytea, add column below_delay bigint
  constraint load_window_below_delay_ck check (below_delay >= 0);
comment on column step.excess is 'How much longer than the declared delay the successes took, ns, as response; null: no declared delay, a closed load, or not sent';
comment on column step.below_delay is 'Successes before the declared delay was over, which excess has not; null: none';
comment on column load_window.excess is 'As step.excess';
comment on column load_window.below_delay is 'As step.below_delay';
