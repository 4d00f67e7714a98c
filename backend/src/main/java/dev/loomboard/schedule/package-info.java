/**
 * Schedules: matrices that run by themselves, each firing once however many replicas there are.
 *
 * <p>The row of a schedule is the truth; Quartz's clustered store ({@code qrtz_*}) only triggers.
 * {@link dev.loomboard.schedule.TriggerService} aligns one trigger after each change and
 * {@link dev.loomboard.schedule.ReconcileJob} aligns all every minute and makes up for the newest missed firing.
 * {@link dev.loomboard.schedule.FiringService} queues the run and notes the firing under (schedule, fire time) in one transaction, so
 * any number of replicas fire it once. {@link dev.loomboard.schedule.CronService} reads cron in the schedule's own zone. A
 * firing that finds nothing to run is a row with its reason. {@link dev.loomboard.schedule.ControlChoice} says which build
 * stays beside what is measured.
 */
@NullMarked
package dev.loomboard.schedule;

import org.jspecify.annotations.NullMarked;
