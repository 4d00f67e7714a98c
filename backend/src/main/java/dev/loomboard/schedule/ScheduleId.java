package dev.loomboard.schedule;

/** Internal key of a schedule; never leaves the service. */
public record ScheduleId(long value) {}
