-- A rerun of builds that its machine has removed waits until its JDK provider has brought them again, for a day at most.

alter table change_point add rerun_awaits_since timestamptz;
comment on column change_point.rerun_awaits_since is 'Since when its rerun waits for a build that its machine lacks; null: it does not';

create index change_point_awaits_ix on change_point (change_point_id) where rerun_awaits_since is not null;
