-- Pages that are kept for everybody are good until something that they show has changed. Who changes it says so when the transaction is
-- committed, once: PostgreSQL sends equal notifications once per transaction. The tables that are not listed are read by none of these
-- pages; KeptPagesTest holds that.

create function content_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('content_changed', '');
  return null;
end $$;
comment on function content_changed is 'Tells listeners of channel content_changed that a page may show what is no longer so';

-- Row by row, because a statement that changes no row, as many a job's, says nothing then. Left out is what changes most and is shown by
-- none of these pages: when a machine was heard of, until when a run is leased, in which phase a trial is.
do $$
declare shown record;
begin
  for shown in select * from (values
      ('account', ''), ('annotation', ''), ('bisection', ''), ('bisection_step', ''), ('cell', ''), ('change_point', ''),
      ('comparison', ''), ('default_rerun', ''), ('hiding', ''), ('imported_run', ''), ('jdk_build', ''), ('jdk_build_conflict', ''),
      ('leaderboard_entry', ''), ('leaderboard_rank', ''), ('machine', 'last_seen_at'), ('machine_host', ''), ('machine_jdk', ''),
      ('machine_jdk_flags', ''), ('matrix', ''), ('notice', ''), ('notice_cell', ''), ('point', ''), ('regression_event', ''),
      ('retraction', ''), ('run', 'lease_expires_at,progress'), ('schedule', ''), ('series', ''), ('step', ''), ('trial', 'phase'),
      ('trial_metric', ''), ('workspace', ''), ('workspace_member', '')) as t (name, ignored) loop
    execute format('create trigger content_changed_tr after insert or delete on %I for each row execute function content_changed()',
        shown.name);
    execute format('create trigger content_updated_tr after update on %I for each row when (%s) execute function content_changed()',
        shown.name, case when shown.ignored = '' then 'old.* is distinct from new.*'
          else format('to_jsonb(old) - %1$L::text[] is distinct from to_jsonb(new) - %1$L::text[]', '{' || shown.ignored || '}') end);
    execute format('create trigger content_emptied_tr after truncate on %I for each statement execute function content_changed()',
        shown.name);
  end loop;
end $$;
