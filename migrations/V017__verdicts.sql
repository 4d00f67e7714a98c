-- Verdicts. The family of tests is fixed when a run is created, before anything is measured, so that no verdict can
-- depend on what a page shows or on who looks when; the results are filled in, all at once, when the run has ended.

create table comparison (
  comparison_id      bigint generated always as identity constraint comparison_pk primary key,
  workspace_id       bigint not null constraint comparison_workspace_fk references workspace,
  run_id             bigint not null constraint comparison_run_fk references run,
  ordinal            int not null,
  baseline_cell_id   bigint not null constraint comparison_baseline_fk references cell,
  candidate_cell_id  bigint not null constraint comparison_candidate_fk references cell,
  metric             text not null,
  family_size        int not null constraint comparison_family_size_ck check (family_size > 0),
  methodology        text not null,
  blocks             int constraint comparison_blocks_ck check (blocks >= 0),
  baseline           double precision,
  candidate          double precision,
  effect             double precision,
  low                double precision,
  high               double precision,
  p                  double precision constraint comparison_p_ck check (p between 0 and 1),
  adjusted_p         double precision constraint comparison_adjusted_p_ck check (adjusted_p between 0 and 1),
  verdict            text constraint comparison_verdict_ck check (verdict in ('faster', 'slower', 'equivalent', 'inconclusive')),
  margin             double precision,
  decidable          double precision,
  further_blocks     int,
  welch_p            double precision,
  mann_whitney_p     double precision,
  disagreement       text,
  baseline_excluded  int,
  baseline_trials    int,
  candidate_excluded int,
  candidate_trials   int,
  baseline_modes     text,
  candidate_modes    text,
  reason             text,
  constraint comparison_run_uq unique (run_id, ordinal),
  constraint comparison_cells_uq unique (baseline_cell_id, metric, candidate_cell_id),
  constraint comparison_judged_ck check (case when blocks is null then verdict is null and reason is null
                                              else (verdict is null) = (reason is not null) end),
  constraint comparison_verdict_has_effect_ck check (verdict is null or num_nulls(effect, low, high, p, adjusted_p, margin, decidable) = 0)
);
comment on table comparison is 'One declared test of a run: two cells that differ in the JDK build alone, on one metric; all of a run are one family';
comment on column comparison.comparison_id is 'Internal key';
comment on column comparison.workspace_id is 'Its owner';
comment on column comparison.run_id is 'The run: who may see it may see this';
comment on column comparison.ordinal is 'Place in the family, from 0';
comment on column comparison.baseline_cell_id is 'The cell of the older build';
comment on column comparison.candidate_cell_id is 'The cell of the newer build';
comment on column comparison.metric is 'Name in the metric catalogue';
comment on column comparison.family_size is 'Tests declared together, whatever came of them';
comment on column comparison.methodology is 'Version of the analysis the results were made by';
comment on column comparison.blocks is 'Whole blocks: trials of both cells of one number and lease, all usable; null: the run has not ended';
comment on column comparison.baseline is 'Mean over its blocks on the metric''s scale, in the catalogue''s unit';
comment on column comparison.candidate is 'Likewise';
comment on column comparison.effect is 'Candidate against baseline: a ratio on the ln scale, else a difference in the metric''s unit';
comment on column comparison.low is 'Lower end of its 95 % interval, from the differences within blocks';
comment on column comparison.high is 'Upper end';
comment on column comparison.p is 'Two-sided, of the paired test; null: it was not made, and counts as 1 in its family';
comment on column comparison.adjusted_p is 'After Benjamini and Hochberg over the family';
comment on column comparison.verdict is 'faster, slower, equivalent or inconclusive, of the candidate; null: none, see reason';
comment on column comparison.margin is 'What matters, floor applied: a ratio − 1 on the ln scale, else in the metric''s unit';
comment on column comparison.decidable is 'Smallest margin that these blocks would have called equivalent; as margin';
comment on column comparison.further_blocks is 'Of inconclusive: further trials a side that would probably settle it; null: beyond any plan. 0: settled';
comment on column comparison.welch_p is 'Check: Welch''s test, which knows no blocks';
comment on column comparison.mann_whitney_p is 'Check: Mann and Whitney''s exact test';
comment on column comparison.disagreement is 'How the checks disagree, in words; null: they do not';
comment on column comparison.baseline_excluded is 'Its trials that ended and cannot be used for this metric';
comment on column comparison.baseline_trials is 'Its trials that ended by themselves';
comment on column comparison.candidate_excluded is 'Likewise';
comment on column comparison.candidate_trials is 'Likewise';
comment on column comparison.baseline_modes is 'In words, when its trials fall into two groups';
comment on column comparison.candidate_modes is 'Likewise';
comment on column comparison.reason is 'Why there is no verdict, in words that name no side';
