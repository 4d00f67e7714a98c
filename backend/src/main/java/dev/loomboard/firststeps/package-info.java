/**
 * What a newcomer does until the first result: a machine, its agent, a run, a schedule.
 *
 * <p>{@link FirstStepsService} finds out how far one is; the empty leaderboard shows it, and {@link FirstStepsPages} keeps it up to date there.
 */
@NullMarked
package dev.loomboard.firststeps;

import org.jspecify.annotations.NullMarked;
