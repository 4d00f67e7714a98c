-- Verdicts beyond JDK builds. What else differs within one run (servers and their variants, collectors, limits) is judged
-- by families of its own, one per axis: the family of the builds stays what it was, to the last bit of its adjusted p.

alter table comparison add column axis text not null default 'jdk'
  constraint comparison_axis_ck check (axis in ('jdk', 'server', 'collector', 'limits'));
alter table comparison alter column axis drop default; -- it is right for the rows that were there, of no other

comment on table comparison is 'One declared test of a run: two cells that differ in one thing alone, its axis, on one metric; all of a run''s axis are one family';
comment on column comparison.axis is 'In what the two cells differ: jdk (the build), server (server and variant), collector or limits';
comment on column comparison.ordinal is 'Place among the tests of the run, family after family, from 0';
comment on column comparison.baseline_cell_id is 'Of the axis jdk the cell of the older build, else of what the matrix lists first';
comment on column comparison.candidate_cell_id is 'The other cell';
comment on column comparison.family_size is 'Tests declared together, of the run and axis, whatever came of them';
comment on column comparison.adjusted_p is 'After Benjamini and Hochberg over the family: the run''s tests of this axis';

-- Whoever compares servers, collectors, limits or classes of machines begins at their series. A series is one line of a
-- history, so these indexes do not grow with nights.
alter table series add column limits text not null generated always as (split_part(series_key, '|', 8)) stored;
comment on column series.limits is 'Limits of CPU and memory as the key has them; empty: none';
create index series_server_ix on series (server, variant, metric);
create index series_collector_ix on series (collector, metric);
create index series_limits_ix on series (limits, metric);
create index series_scenario_ix on series (scenario_key, metric);
