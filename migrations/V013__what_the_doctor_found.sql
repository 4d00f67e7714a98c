-- What on a machine would spoil a measurement, as its agent saw it last. That of each trial is in its start_facts.

alter table machine add column doctor jsonb;
comment on column machine.doctor is 'The wire''s Doctor of its last inventory; null: its agent did not look';
