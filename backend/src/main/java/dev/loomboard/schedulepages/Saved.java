package dev.loomboard.schedulepages;

/** What came of a form. */
sealed interface Saved {

    /** The names under which the schedule is found. */
    record Done(String workspace, String slug) implements Saved {}

    record Refused(ScheduleForm form) implements Saved {}
}
