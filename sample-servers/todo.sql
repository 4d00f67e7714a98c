-- The table of the workload `todo` (WORKLOADS.md). Databases that the agent starts are filled by this file. Into one of yours, once:
-- psql "$LOOMBOARD_DATABASE_OWNER" -f todo.sql
create table todo (
  id    integer primary key,
  title text not null,
  done  boolean not null
);

insert into todo (id, title, done)
select number, 'Todo ' || number, number % 3 = 0
from generate_series(1, 10000) as number;
