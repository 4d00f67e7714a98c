-- The leaderboard's tabs, which say what scenarios there are and which has most, read every entry with all its metrics.
-- With two columns more they are told by an index alone.

drop index leaderboard_entry_scenario_ix;
create index leaderboard_entry_scenario_ix on leaderboard_entry (scenario_key, class_hash, visibility)
  include (workspace_id, standing, cell_id);
