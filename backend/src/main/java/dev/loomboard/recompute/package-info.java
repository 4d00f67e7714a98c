/**
 * What must be made again after an event: a trial or run ended, a version was retracted, a machine became public.
 *
 * <p>{@link RecomputeService} has one method per event, called in the event's transaction. {@link RollupService} makes the
 * numbers; {@link RollupCheckService} makes them again and compares them to the last bit ({@code verify-rollups});
 * {@link MethodologyUpgradeService} does so for results of an earlier methodology.
 *
 * <p>It must not know who caused the event: {@code ingest}, {@code run}, {@code retraction} and pages are above it.
 */
@NullMarked
package dev.loomboard.recompute;

import org.jspecify.annotations.NullMarked;
