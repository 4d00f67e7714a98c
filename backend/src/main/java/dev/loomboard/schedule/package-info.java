/**
 * Schedules: matrices that run by themselves, each firing once however many replicas there are.
 *
 * <p>The row of a {@link Schedule} is the truth; Quartz's clustered store ({@code qrtz_*}) only triggers.
 * {@link TriggerService} aligns one trigger after each change; {@link ReconcileJob} aligns all every minute and makes up for
 * the newest missed firing. {@link FiringService} queues the run and notes the firing under (schedule, fire time) in one
 * transaction; {@link FiringRules} says what an earlier run that is open does to it. {@link LongRunService} stops runs that take too
 * long. {@link BackfillService} finds builds that were missed.
 * {@link ControlChoice} says which build stays beside what is measured. Pages and forms are in {@code schedulepages}, cron in
 * {@code cron}.
 *
 * <p>It must not know what a run finds. Only its pages may know it.
 */
@NullMarked
package dev.loomboard.schedule;

import org.jspecify.annotations.NullMarked;
