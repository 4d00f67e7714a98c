-- How well a machine repeats itself: trials of one cell against themselves.

alter table machine add column qualification jsonb;
comment on column machine.qualification is 'The wire''s Qualification of its last inventory; null: it never was qualified. Passed, and on the same host: qualified_at';
