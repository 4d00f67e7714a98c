/**
 * Uploads: a batch of a trial is read strictly, stored whole in one transaction or not at all, and acknowledged after.
 *
 * <p>{@link BatchApi} takes it, {@link BatchReader} reads and checks the body, {@link Admission} decides by what is stored
 * of the trial, {@link BatchStore} writes it; {@link BatchService} ties them together. When the trial is complete,
 * {@link TrialValidity} says how sound its steps were, {@link Plausibility} whether it can be what it says, and the roll-up is called.
 *
 * <p>It must not make numbers: {@code recompute} does. It trusts nothing that an agent sent.
 */
@NullMarked
package dev.loomboard.ingest;

import org.jspecify.annotations.NullMarked;
