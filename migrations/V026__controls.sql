-- Whether the host moved, and not the JDK: in the nights before and after a confirmed change some other build stayed the
-- same and ran beside it. What it did is reckoned once the change is confirmed and again while its level has few points.
-- The foreign key has no index: nothing looks from builds into it, and builds are never deleted.

alter table change_point
  add column control_at timestamptz,
  add column controls int,
  add column control_build_id bigint constraint change_point_control_build_fk references jdk_build,
  add column control_before int,
  add column control_after int,
  add column control_change double precision,
  add column control_low double precision,
  add column control_high double precision,
  add column control_moved text constraint change_point_control_moved_ck check (control_moved in ('still', 'moved', 'unclear')),
  add column against_change double precision,
  add column against_low double precision,
  add column against_high double precision,
  add column against_left text constraint change_point_against_left_ck check (against_left in ('remains', 'gone', 'unclear')),
  add constraint change_point_control_at_ck check ((control_at is null) = (controls is null)),
  add constraint change_point_control_ck check (num_nonnulls(control_build_id, control_before, control_after, control_change,
    control_low, control_high, control_moved, against_change, against_low, against_high, against_left)
    = case when controls > 0 then 11 else 0 end);
comment on column change_point.control_at is 'When a control was looked for; null: not yet';
comment on column change_point.controls is 'Builds that stayed while the change came and whose cell ran in enough nights of both levels; null: not looked for yet';
comment on column change_point.control_build_id is 'The one of them whose cell ran in most nights of both; null: there is none';
comment on column change_point.control_before is 'Nights of the level before in which it ran, of the newest twelve';
comment on column change_point.control_after is 'Likewise of the new level, of the first twelve';
comment on column change_point.control_change is 'What it did itself: new level ÷ level before';
comment on column change_point.control_low is 'Lower end of its 95 % interval (Welch)';
comment on column change_point.control_high is 'Upper end';
comment on column change_point.control_moved is 'still: its interval lies within what matters; moved: it lies off 1 and by what matters; unclear: neither';
comment on column change_point.against_change is 'The change of the ratio candidate ÷ control, night by night: new level ÷ level before';
comment on column change_point.against_low is 'Lower end of its 95 % interval (Welch, so with the variance of both)';
comment on column change_point.against_high is 'Upper end';
comment on column change_point.against_left is 'What it leaves of the change: remains: in its direction and by what matters, the interval off 1; gone: surely less than matters; unclear: neither';
