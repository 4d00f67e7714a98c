-- A machine can be taken out of service gently: it takes no new run and finishes what it has.

alter table machine add column draining_since timestamptz;
comment on column machine.draining_since is 'Since when it is given no new run; null: it is given them';
