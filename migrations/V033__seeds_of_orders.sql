-- The order of a run's trials is drawn at random, block by block, from a seed that is stored: who sees a result can make its
-- order again. Runs that are over went through their cells there and back; what is queued or under way gets a seed now.

alter table run add column order_seed bigint;
update run set order_seed = floor(random() * 9007199254740992)::bigint
 where state in ('queued', 'leased', 'running', 'disconnected');
alter table run add constraint run_order_seed_ck check (order_seed >= 0 and order_seed < 9007199254740992);
comment on column run.order_seed is 'What the order of its trials was drawn from, below 2^53; null: they went through the cells there and back (ABBA)';
