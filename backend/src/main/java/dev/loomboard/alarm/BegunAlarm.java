package dev.loomboard.alarm;

/**
 * An alarm that began.
 *
 * @param id external id of the schedule or machine
 * @param of which it is, for the log: "schedule nightly"
 * @param workspace slug
 * @param words what is wrong, a sentence
 */
public record BegunAlarm(String id, String of, String workspace, String words) {}
