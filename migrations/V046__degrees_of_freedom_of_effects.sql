-- An interval of an effect is of fewer degrees of freedom than it has blocks less one where the first blocks decided how
-- many follow. Whoever takes its error from it must know them: the mean over cells and the estimate of several runs.
-- Of what was judged before, they are by the plan: a run whose first blocks were not all usable has them exactly once it is
-- made again.

alter table comparison add column degrees int constraint comparison_degrees_ck check (degrees > 0);
comment on column comparison.degrees is 'Degrees of freedom that low and high are of; null: there is no effect';
update comparison v
   set degrees = case when r.pilot is null or s.scored < 3 or s.scored >= v.blocks then v.blocks - 1 else s.scored - 1 end
  from run r cross join lateral (select (r.spec #>> '{trials,scored}')::int as scored) s
 where r.run_id = v.run_id and v.effect is not null and v.blocks > 1;
