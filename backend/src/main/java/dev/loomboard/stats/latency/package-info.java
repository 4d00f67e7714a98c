/**
 * Percentiles of a trial's latencies, and whether there are hits enough to judge them.
 *
 * <p>{@link Latencies} reads a {@link Quantile} from a histogram; {@link Eligibility} asks for a hundred hits beyond it, counted by
 * what they are worth ({@link IndependentHits}); {@link Failures} says how large a share of failed hits leaves nothing to judge.
 */
@NullMarked
package dev.loomboard.stats.latency;

import org.jspecify.annotations.NullMarked;
