-- Ranks are made when a cell finishes, for all entries it stands beside, and stored: no page computes one. They are a
-- table of their own, because a finished cell rewrites its neighbours' ranks: on the entries, two cells that finish at
-- once would each wait for the other's row.

alter table cell add column framework text;
comment on column cell.framework is 'What the server is built on, as its machine named it when the run was created; null: created before that was kept';

alter table leaderboard_entry
  add column headline text,
  add column framework text,
  drop constraint leaderboard_entry_standing_ck,
  add constraint leaderboard_entry_standing_ck check (standing in ('ranked', 'provisional', 'few', 'unranked'));
comment on column leaderboard_entry.headline is 'The metric that its scenario declares to rank by; null: it declares none';
comment on column leaderboard_entry.framework is 'What the server is built on; null: unknown';
comment on column leaderboard_entry.standing is 'ranked, provisional (under ten trials, unqualified machine, shared cores), few (under five trials) or unranked (invalid, failed)';

-- As dev.loomboard.series.Headline declares them.
update leaderboard_entry e
   set headline = case c.load ->> 'profile'
         when 'closed' then 'throughput_per_s'
         when 'search' then 'max_rate_per_s'
         else case when (c.load ->> 'rate')::float8 * (c.load ->> 'seconds')::float8 >= 10000
                    and (c.load ->> 'seconds')::float8 >= 10 then 'response_p99_ms' else 'response_p50_ms' end end
  from cell c
 where c.cell_id = e.cell_id and c.load ->> 'profile' in ('constant', 'poisson', 'closed', 'search');
update leaderboard_entry set standing = 'few' where standing = 'provisional' and trials < 5;

-- A page asks for a scenario whoever asks, ranks for one class of it: the visibility comes last.
drop index leaderboard_entry_scenario_ix;
create index leaderboard_entry_scenario_ix on leaderboard_entry (scenario_key, class_hash, visibility);

create table leaderboard_rank (
  leaderboard_entry_id bigint constraint leaderboard_rank_pk primary key
                       constraint leaderboard_rank_entry_fk references leaderboard_entry on delete cascade,
  best                 int not null,
  worst                int not null,
  entries              int not null,
  nearest              bigint[] not null,
  constraint leaderboard_rank_range_ck check (1 <= best and best <= worst and worst <= entries)
);
comment on table leaderboard_rank is 'Where an entry stands among those of its scenario, machine class, protocol, standing and audience (everybody, or its workspace): a simultaneous 95 % confidence set';
comment on column leaderboard_rank.leaderboard_entry_id is 'The entry; none: it has no place, see its reasons';
comment on column leaderboard_rank.best is 'The best rank it may have, from 1';
comment on column leaderboard_rank.worst is 'The worst; as many entries as lie between cannot be told apart from it';
comment on column leaderboard_rank.entries is 'How many were ranked together';
comment on column leaderboard_rank.nearest is 'Cells of the few nearest of those it cannot be told apart from, nearest first';
