-- Beside what is excluded stands what would have been found, and how many trials would settle a test is a range, since the
-- spread of a few trials is hardly known. What was judged before has neither until its run is made again.

alter table comparison
  add column further_blocks_most int,
  add column findable double precision,
  add column findable_low double precision,
  add column findable_high double precision;
comment on column comparison.further_blocks_most is 'Further blocks if the spread is at the upper end of its interval (further_blocks: at the lower); null: beyond any plan, not said, or judged before that was asked';
comment on column comparison.findable is 'Change that these blocks would have found with power 0.8, as margin; null: none, or judged before that was asked';
comment on column comparison.findable_low is 'The same at the lower end of the 95 % interval of the spread';
comment on column comparison.findable_high is 'Likewise at the upper end';
