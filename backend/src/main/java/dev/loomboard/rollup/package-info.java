/**
 * Numbers of a trial from its raw record, and of a finished cell from its trials.
 *
 * <p>A metric is a row of the catalogue ({@code catalog}) and a line in {@link dev.loomboard.rollup.TrialNumbers}; pages, histories and
 * the API follow the catalogue.
 */
@NullMarked
package dev.loomboard.rollup;

import org.jspecify.annotations.NullMarked;
