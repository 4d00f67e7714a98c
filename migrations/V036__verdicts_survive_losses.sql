-- Lost trials are outcomes: a verdict holds only if it would whatever they had been, and trials that failed are counted
-- apart. What was judged before has neither until its run is made again.

alter table comparison
  add column depends_on_lost int constraint comparison_depends_on_lost_ck check (depends_on_lost > 0),
  add column baseline_failed int,
  add column candidate_failed int,
  add column failed_p double precision;
comment on column comparison.depends_on_lost is 'Lost trials that could turn what the blocks say, so that the verdict is inconclusive; null: it does not depend on them, or was judged before that was asked';
comment on column comparison.baseline_failed is 'Of the excluded trials of the baseline, those that failed; null: judged before that was counted';
comment on column comparison.candidate_failed is 'Likewise of the candidate';
comment on column comparison.failed_p is 'Two-sided p of Fisher''s exact test of the failed trials, unadjusted; null: none failed';
