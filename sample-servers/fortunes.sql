-- The table of the workload `fortunes` (WORKLOADS.md). Databases that the agent starts are filled by this file. Into one of yours, once:
-- psql "$LOOMBOARD_DATABASE_OWNER" -f fortunes.sql
create table fortune (
  id      integer primary key,
  message text not null
);

insert into fortune (id, message)
values
  (1, 'A benchmark is a question; most are answered before they are asked'),
  (2, 'Measure twice, and once more after the coffee'),
  (3, 'The fastest code is asleep, and so is its author'),
  (4, 'Everything is quick on an idle machine'),
  (5, 'A percentile is a promise to somebody in particular'),
  (6, 'Nobody remembers the mean, everybody the maximum'),
  (7, '<script>alert("not run");</script>'),
  (8, 'A queue is where optimism waits'),
  (9, 'Coordinated omission: the silence between two lies'),
  (10, 'Threads are cheap; stacks remember otherwise'),
  (11, 'Every cache was once a good idea'),
  (12, '糸を織る機は夜も動く');
