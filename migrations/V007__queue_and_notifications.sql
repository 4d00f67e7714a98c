-- What the queue needs of the database itself: that a machine never has two runs at a time, and that every change of
-- a run is told to those who listen, whoever made it (queue, ingest, a job). Also: a matrix keeps the text it was
-- written as, and a machine the name it gives a build.

create unique index run_machine_active_uq on run (machine_id) where state in ('leased', 'running', 'disconnected');
comment on index run_machine_active_uq is 'A machine has one run at a time';
create index run_machine_created_ix on run (machine_id, created_at desc);

create function run_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('run_changed', new.external_id);
  return null;
end $$;
comment on function run_changed is 'Tells listeners of channel run_changed which run changed; the payload is its external id';
create trigger run_changed_tr after insert or update on run for each row execute function run_changed();

create function run_trials_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('run_changed', r.external_id) from run r where r.run_id in (select t.run_id from changed t);
  return null;
end $$;
comment on function run_trials_changed is 'The same for a run''s trials: once per statement, and PostgreSQL sends equal ones once per transaction';
create trigger trial_inserted_tr after insert on trial referencing new table as changed
  for each statement execute function run_trials_changed();
create trigger trial_updated_tr after update on trial referencing new table as changed
  for each statement execute function run_trials_changed();

alter table matrix add column source text not null default '';
comment on column matrix.source is 'The YAML as it was written, comments included';

alter table machine_jdk add column agent_slug text not null default '';
comment on column machine_jdk.agent_slug is 'What the machine''s agent calls the build; differs from jdk_build.slug where two builds claim one name';
