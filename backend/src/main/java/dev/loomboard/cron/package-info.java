/**
 * Cron in a time zone: when something is due next, and what clock changes do to it.
 *
 * <p>{@link Timing} is what a form says, {@link CronService} reads it as Quartz does and names the next {@link FireTime}s, a
 * {@link Preview} of them with what {@link ClockChange} does. It must not know what is due.
 */
@NullMarked
package dev.loomboard.cron;

import org.jspecify.annotations.NullMarked;
