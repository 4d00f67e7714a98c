/**
 * What diagnostic trials leave besides their batches: recordings' summaries, stacks, classes, logs; and flame graphs.
 *
 * <p>{@link ArtefactService} takes an upload, {@link Upload} reads it strictly, {@link ArtefactStore} keeps it;
 * {@link Diagnostics} is what a trial's page shows. {@link FlameTree} lays the stacks of two trials over each other,
 * {@link FlameDifference} judges the differences, and {@link FlamePages} serves them.
 *
 * <p>It knows trials and cells by their ids only: not how they were measured or rolled up.
 */
@NullMarked
package dev.loomboard.artefact;

import org.jspecify.annotations.NullMarked;
