-- A matrix can require what a machine must be; labels say of a machine what its facts do not.

alter table machine
  add column labels text[] not null default '{}' constraint machine_labels_ck check (cardinality(labels) <= 20),
  add column offered_labels text[] not null default '{}' constraint machine_offered_labels_ck check (cardinality(offered_labels) <= 20);
comment on column machine.labels is 'Words, or key=value, that its owners gave it on its page';
comment on column machine.offered_labels is 'The same as its agent''s configuration has them';
