-- A rerun is looked at again and again until it decides: each look is a run of its own that adds blocks to those of the looks
-- before, so a run's trials stay what they were planned to be. The tests of a look are judged by the blocks of all looks up to
-- it, and stay stored as they were judged: one row of comparison per look.
-- Runs that had their blocks at once, and reruns from before, have no look.

alter table run
  add column look int constraint run_look_ck check (look > 0),
  add column follows_run_id bigint constraint run_follows_fk references run,
  add constraint run_follows_ck check (follows_run_id is null or look > 1);
comment on column run.look is 'Which look of its rerun it is, from 1; null: its blocks are judged once, when they have all come';
comment on column run.follows_run_id is 'The look before, whose blocks count with its own; null: there is none';

alter table comparison
  add column look int constraint comparison_look_ck check (look > 0),
  add column cut_short_of int constraint comparison_cut_short_ck check (cut_short_of > blocks);
comment on column comparison.look is 'As of its run: then blocks and all that is made of them are of all looks up to it, and adjusted_p is of the error that they spend';
comment on column comparison.cut_short_of is 'Blocks that were to come when its run ended before its time; null: it ended in time, or they have all come';

alter table change_point add column rerun_further int constraint change_point_rerun_further_ck check (rerun_further > 0);
comment on column change_point.rerun_further is 'Blocks that the next look at its rerun still needs, which is not queued yet; null: none is due';
create index change_point_further_ix on change_point (detected_at desc) where rerun_further is not null;
