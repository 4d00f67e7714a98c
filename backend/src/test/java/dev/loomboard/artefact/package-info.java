/**
 * Tests of artefacts and flame graphs.
 *
 * <p>{@link ArtefactTest} uploads them as an agent does, right and wrong ones; {@link FlameDifferenceTest} checks the
 * tree of two sides and its intervals.
 *
 * <p>They know no trial's numbers.
 */
@NullMarked
package dev.loomboard.artefact;

import org.jspecify.annotations.NullMarked;
