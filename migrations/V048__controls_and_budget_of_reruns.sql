-- What reruns are spared and given. All builds that stayed while a change came are one control together; until now the one of them
-- that ran in most nights was taken. And the budget of a night's reruns was reckoned by the most that their trials may take, about twice
-- what they do take: a rerun now keeps what it was reckoned to take by the machine's last trials of its protocol. What was stored before
-- has null in both.

alter table change_point
  add column control_builds bigint[],
  add constraint change_point_control_builds_ck check (control_builds is null
    or control_build_id is not null and control_builds[1] = control_build_id and cardinality(control_builds) = controls);
comment on column change_point.control_builds is 'jdk_build_id of all that are pooled, the one that ran in most nights first; null: there is none, or one alone was taken';
comment on column change_point.control_before is 'Nights of the level before in which a control ran, of the newest twelve';

alter table run
  add column reckoned_seconds double precision constraint run_reckoned_seconds_ck check (reckoned_seconds > 0);
comment on column run.reckoned_seconds is 'Of a rerun: what its trials were reckoned to take when it was queued; null: no rerun, or queued before this was stored';
