-- Ranks know how much a result differs from one run to the next; a board says with which spread it was ranked, and
-- whether that is the machine's own or assumed. A rank that was made before has neither until its board is ranked again.

alter table leaderboard_rank
  add column run_spread double precision constraint leaderboard_rank_run_spread_ck check (run_spread >= 0),
  add column spread_assumed boolean;
comment on column leaderboard_rank.run_spread is 'Standard deviation from run to run that it was ranked with, on the ln scale; null: ranked before that was reckoned with';
comment on column leaderboard_rank.spread_assumed is 'Whether too few runs of the same build were known on its machine, so that the spread is assumed; null as run_spread';
