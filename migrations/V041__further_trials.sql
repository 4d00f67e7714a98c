-- Further trials by the spread alone: once the first blocks of a run are made, what they vary by says how many each cell needs,
-- and the budget of the matrix goes to the smallest needs first.

alter table cell add column scored int constraint cell_scored_ck check (scored > 0);
comment on column cell.scored is 'Scored trials that were given to it after the first blocks, these included; null: as many as its run''s matrix says';
alter table run add column pilot jsonb;
comment on column run.pilot is 'What its first blocks varied by, and how many trials that gave to its cells; null: not looked at';
