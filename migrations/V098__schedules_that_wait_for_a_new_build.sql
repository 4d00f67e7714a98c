-- A schedule may fire in vain on purpose: where its owners say so, a firing at which no build is new is skipped with the reason, so that
-- a night is not spent on what was measured before.

alter table schedule add column only_new boolean not null default false;
comment on column schedule.only_new is 'Whether a firing is skipped when its runs have measured each build that it would measure';
