-- Suspect trials stand in blocks, and are counted: what the host did falls on both sides of a block and widens its interval.
-- Verdicts from before were made without them; a run's are made anew when it is recomputed.

alter table comparison add column suspect_blocks int not null default 0;
comment on column comparison.suspect_blocks is 'Of the blocks, those with a trial whose validity is suspect.';
