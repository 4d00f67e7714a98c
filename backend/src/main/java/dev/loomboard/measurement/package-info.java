/**
 * What an agent sends and the service stores as documents, each shape once.
 *
 * <p>{@link Batch} is an upload: {@link TrialStart}, {@link Window}s and {@link Step}s of load, of a mix
 * by {@link MixOperation}, with {@link EncodedHistogram}s, {@link Ticks} of samples, {@link TrialEnd} with {@link SteadyState}, {@link Warmth} and
 * {@link SearchEnd}. {@link Checked} parts check themselves in an upload; {@link StoredJson} reads stored ones without
 * checks, because older agents had other rules.
 *
 * <p>Plain Java. It knows no table, no page and no judgement.
 */
@NullMarked
package dev.loomboard.measurement;

import org.jspecify.annotations.NullMarked;
