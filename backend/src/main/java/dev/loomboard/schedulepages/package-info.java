/**
 * Pages and forms of schedules, and their JSON.
 *
 * <p>{@link SchedulePages} shows them, of what {@link ScheduleReadService} reads; {@link ScheduleFormPages} takes a
 * {@link ScheduleForm}, which {@link ScheduleService} stores; {@link ScheduleApi} makes one of what a script sends. No package may
 * know it.
 */
@NullMarked
package dev.loomboard.schedulepages;

import org.jspecify.annotations.NullMarked;
