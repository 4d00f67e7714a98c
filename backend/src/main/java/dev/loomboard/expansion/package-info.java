/**
 * A matrix laid out for one machine: its cells, the trials of each, their order and how long they take.
 *
 * <p>{@link Expansion} makes {@link Cell}s of a matrix and the builds that a machine has; {@link TrialPlan} orders their trials by a
 * seed ({@link SeededOrder}); {@link TrialSecondsStore} knows how long such trials took. The agent expands the same in Go:
 * {@code api/examples} holds both together.
 *
 * <p>It must not know runs: it says what would be measured, not what was.
 */
@NullMarked
package dev.loomboard.expansion;

import org.jspecify.annotations.NullMarked;
