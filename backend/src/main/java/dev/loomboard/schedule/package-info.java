/**
 * Schedules: matrices that run by themselves, each firing once however many replicas there are.
 *
 * <p>The row of a {@link Schedule} is the truth; Quartz's clustered store ({@code qrtz_*}) only triggers.
 * {@link TriggerService} aligns one trigger after each change; {@link ReconcileJob} aligns all every minute and makes up for
 * the newest missed firing. {@link FiringService} queues the run and notes the firing under (schedule, fire time) in one
 * transaction. {@link CronService} reads cron in the schedule's own zone. {@link ControlChoice} says which build stays
 * beside what is measured.
 *
 * <p>It must not know what a run finds. No package may know it.
 */
@NullMarked
package dev.loomboard.schedule;

import org.jspecify.annotations.NullMarked;
