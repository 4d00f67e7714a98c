-- A leaderboard entry is what a series is: the same server with other JVM options or limits is another entry. Without
-- them in the key, a matrix that only adds an option took the place of the one without it. Reasons become a list,
-- because a page says each of them once for all the rows it holds for.
-- Also the indexes that queries of a page need on foreign keys. The other keys stay without: nothing in the service
-- deletes or re-keys a workspace, account, machine, matrix, build, run or cell, no query looks from those tables into
-- api_token (created_by), schedule (created_by), registration_token (machine), run (matrix), schedule_firing (run),
-- cell, trial, step or point (workspace), point (run) or leaderboard_entry (run, cell), and each index would be written
-- at every upload or roll-up.

alter table leaderboard_entry
  add column jvm_options text[] not null default '{}',
  add column limits jsonb not null default '{}',
  add column reasons text[] not null default '{}';
update leaderboard_entry e
   set jvm_options = c.jvm_options, limits = c.limits,
       reasons = case when e.reason is null then '{}' else array[e.reason] end
  from cell c where c.cell_id = e.cell_id;
alter table leaderboard_entry
  drop column reason,
  drop constraint leaderboard_entry_uq,
  add constraint leaderboard_entry_uq unique
    (workspace_id, scenario_key, machine_id, server, variant, collector, jvm_options, limits, protocol, jdk_build_id);
comment on table leaderboard_entry is 'The newest finished cell of each server, variant, collector, options, limits and JDK build per scenario and machine';
comment on column leaderboard_entry.jvm_options is 'JVM options of the owner''s matrix';
comment on column leaderboard_entry.limits is 'CPU and memory limits; empty: none';
comment on column leaderboard_entry.reasons is 'Why not ranked; empty: ranked';

-- "Which results has this build" and "which builds have results", on every page that offers builds.
create index leaderboard_entry_jdk_build_ix on leaderboard_entry (jdk_build_id);
-- A machine that becomes public or private takes its entries and series with it.
create index leaderboard_entry_machine_ix on leaderboard_entry (machine_id);
create index series_machine_ix on series (machine_id);
-- "Which machines have this build"; the primary key begins with the machine.
create index machine_jdk_jdk_build_ix on machine_jdk (jdk_build_id);
