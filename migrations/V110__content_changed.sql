-- Pages that are kept for everybody are good until something that they show has changed. Who changes it says so when the transaction is
-- committed, once: PostgreSQL sends equal notifications once per transaction. The tables that are not listed are read by none of these
-- pages; KeptPagesTest holds that.

create function content_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('content_changed', '');
  return null;
end $$;
comment on function content_changed is 'Tells listeners of channel content_changed that a page may show what is no longer so';

do $$
declare shown text;
begin
  foreach shown in array array['annotation', 'bisection', 'bisection_step', 'cell', 'change_point', 'comparison', 'default_rerun', 'hiding',
      'imported_run', 'jdk_build', 'jdk_build_conflict', 'leaderboard_entry', 'leaderboard_rank', 'machine_host', 'machine_jdk',
      'machine_jdk_flags', 'matrix', 'notice', 'notice_cell', 'point', 'regression_event', 'retraction', 'schedule', 'series', 'step',
      'trial_metric', 'workspace', 'workspace_member'] loop
    execute format('create trigger content_changed_tr after insert or update or delete or truncate on %I'
        ' for each statement execute function content_changed()', shown);
  end loop;
end $$;

-- Of these, what changes most is shown nowhere: when a machine was heard of, until when a run is leased, in which phase a trial is.
create trigger content_changed_tr after insert or delete or truncate on account
  for each statement execute function content_changed();
create trigger content_updated_tr after update on account for each row
  when (old.display_name is distinct from new.display_name) execute function content_changed();

create trigger content_changed_tr after insert or delete or truncate on machine
  for each statement execute function content_changed();
create trigger content_updated_tr after update on machine for each row
  when (to_jsonb(old) - 'last_seen_at' is distinct from to_jsonb(new) - 'last_seen_at') execute function content_changed();

create trigger content_changed_tr after insert or delete or truncate on run
  for each statement execute function content_changed();
create trigger content_updated_tr after update on run for each row
  when (to_jsonb(old) - '{lease_expires_at,progress}'::text[] is distinct from to_jsonb(new) - '{lease_expires_at,progress}'::text[])
  execute function content_changed();

create trigger content_changed_tr after insert or delete or truncate on trial
  for each statement execute function content_changed();
create trigger content_updated_tr after update on trial for each row
  when (to_jsonb(old) - 'phase' is distinct from to_jsonb(new) - 'phase') execute function content_changed();
