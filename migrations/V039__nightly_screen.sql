-- After each run with a control its new builds are screened, by ln(new build ÷ control) against the nights before. The rule is
-- loose on purpose: it starts reruns and says nothing to anybody. What it raises is a suspect like those of the detector, in the same
-- table, so that the same reruns answer it; until the detector reports it too, or a rerun confirms it, no history shows it.

alter table run
  add column screened_at timestamptz,
  add column screened_series int constraint run_screened_series_ck check (screened_series >= 0),
  add column screened_rises int constraint run_screened_rises_ck check (screened_rises >= 0),
  add constraint run_screened_ck check ((screened_at is null) = (screened_series is null) and (screened_at is null) = (screened_rises is null));
comment on column run.screened_at is 'When it was screened against its control; null: it has none, or is not over';
comment on column run.screened_series is 'Series of it that had nights enough to be screened; null as screened_at';
comment on column run.screened_rises is 'Of these, how many rose beyond the limit and asked for a rerun; null as screened_at';
create index run_unscreened_ix on run (finished_at) where control_build_id is not null and screened_at is null;
comment on index run_unscreened_ix is 'Runs that are still to be screened';

alter table change_point
  add column screen_change double precision constraint change_point_screen_change_ck check (screen_change > 0),
  add column screen_chance double precision constraint change_point_screen_chance_ck check (screen_chance >= 0 and screen_chance <= 1),
  add column screen_nights int constraint change_point_screen_nights_ck check (screen_nights > 0),
  add column screen_before boolean,
  add constraint change_point_screen_ck check (num_nonnulls(screen_change, screen_chance, screen_nights, screen_before) in (0, 4));
comment on column change_point.screen_change is 'What the nightly screen saw: new build ÷ control, as a ratio to what that was before; null: the detector raised it, and no screen';
comment on column change_point.screen_chance is 'Share of nights without a change that rise as much by chance; screened suspects wait in its order';
comment on column change_point.screen_nights is 'Nights before that it was compared with';
comment on column change_point.screen_before is 'Whether it rose most against the newest of them alone, the build before; else against all';
