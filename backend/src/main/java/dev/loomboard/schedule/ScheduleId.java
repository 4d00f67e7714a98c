package dev.loomboard.schedule;

import dev.loomboard.kernel.Internal;

/** Internal key of a schedule; never leaves the service. */
public record ScheduleId(long value) implements Internal {}
