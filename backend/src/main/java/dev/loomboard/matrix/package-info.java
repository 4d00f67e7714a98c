/**
 * Matrices: what is to be measured, read strictly, and expanded into cells and trials for one machine.
 *
 * <p>{@link MatrixReader} reads the YAML and names every problem; {@link MatrixSpec} is the result; {@link Expansion} lays
 * it out as {@link Cell}s; {@link TrialPlan} orders their trials by a seed ({@link SeededOrder}). {@link Phases} are a
 * protocol's. {@link MatrixPages} and {@link MatrixStore} show and keep it. The agent reads and expands the same in Go:
 * {@code api/examples} holds both together.
 *
 * <p>It must not know runs: it says what would be measured, not what was.
 */
@NullMarked
package dev.loomboard.matrix;

import org.jspecify.annotations.NullMarked;
