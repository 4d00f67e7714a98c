/**
 * Changes of a series: suspected, confirmed, and measured again.
 *
 * <p>{@link Detector} finds {@link ChangePoint}s; {@link Confirmation} says which of them count; {@link NightlyScreen} looks at the newest
 * point alone; {@link ControlComparison} takes what the host did out of it. {@link FollowUpPolicy} says what is measured again,
 * {@link SequentialRerun} when that is enough, and {@link MinimumDetectableEffect} what a series can see at all.
 */
@NullMarked
package dev.loomboard.stats.change;

import org.jspecify.annotations.NullMarked;
