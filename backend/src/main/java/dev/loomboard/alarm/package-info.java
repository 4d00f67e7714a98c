/**
 * Alarms: schedules that have no result for longer than their owners allow, and machines that something waits for and that are away.
 *
 * <p>{@link AlarmJob} has {@link AlarmService} begin and end them every minute. {@link ScheduleAlarmStore} and {@link MachineAlarmStore}
 * note each once, and open its notice in the same statement; {@code outbox} tells people.
 *
 * <p>It must not know how anybody is told. Pages of schedules may ask it.
 */
@NullMarked
package dev.loomboard.alarm;

import org.jspecify.annotations.NullMarked;
