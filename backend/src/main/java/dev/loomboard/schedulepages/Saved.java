package dev.loomboard.schedulepages;

import dev.loomboard.quota.Quota;

/** What came of a form. */
sealed interface Saved {

    /** The names under which the schedule is found. */
    record Done(String workspace, String slug) implements Saved {}

    record Refused(ScheduleForm form) implements Saved {}

    /** The workspace has as many as it may have. */
    record Full(Quota quota, ScheduleForm form) implements Saved {}
}
