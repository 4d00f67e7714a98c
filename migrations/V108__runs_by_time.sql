-- The index of runs by month goes through them by time, whosever they are.
create index run_created_ix on run (created_at desc);
