-- Too few blocks are no evidence that nothing changed. What was called dropped is therefore one of two things: cleared, where a
-- rerun showed that what was suspected is not there, or still a suspect, which stays visible. Dropped suspects are sorted by what
-- their rerun said; those that nothing answered do not ask for a rerun now, because their builds may be long gone.

alter table change_point drop constraint change_point_status_ck;
update change_point
   set status = 'cleared'
 where status = 'dropped'
   and (rerun_reason like 'the rerun says equivalent,%' or rerun_reason like 'the rerun says slower, not%'
        or rerun_reason like 'the rerun says faster, not%');
update change_point
   set status = 'suspect', decided_at = null,
       rerun_reason = coalesce(rerun_reason, 'no rerun: it was made a suspect again when those that nothing answered were no longer dropped')
 where status = 'dropped';
alter table change_point add constraint change_point_status_ck check (status in ('suspect', 'confirmed', 'cleared'));
comment on column change_point.status is 'suspect → confirmed | cleared; recomputation never takes a decision back. What no rerun could tell stays a suspect';
comment on column change_point.decided_at is 'When it was confirmed or cleared; null: a suspect';
