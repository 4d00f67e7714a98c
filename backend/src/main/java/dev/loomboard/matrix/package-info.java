/**
 * Matrices: what is to be measured, read strictly.
 *
 * <p>{@link MatrixReader} reads the YAML and names every problem; {@link MatrixSpec} is the result; {@link Phases} are a protocol's,
 * {@link Requirements} what a machine must be, {@link MatrixPart} what of a matrix a run measures. {@link MatrixPages} and {@link MatrixStore} show and keep it. {@code expansion} lays
 * it out as cells and trials. The agent reads the same in Go: {@code api/examples} holds both together.
 *
 * <p>It must not know runs.
 */
@NullMarked
package dev.loomboard.matrix;

import org.jspecify.annotations.NullMarked;
