/**
 * What must be made again after an event: a trial or a run ended, a version was retracted, a machine became public.
 *
 * <p>{@link dev.loomboard.recompute.RecomputeService} has one method per event. {@link dev.loomboard.recompute.RollupService} makes the
 * numbers; {@link dev.loomboard.recompute.RollupCheckService} makes them again and compares them to the last bit
 * ({@code verify-rollups}).
 */
@NullMarked
package dev.loomboard.recompute;

import org.jspecify.annotations.NullMarked;
