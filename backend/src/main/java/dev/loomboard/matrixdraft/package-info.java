/**
 * A new matrix, picked together from what a machine has.
 *
 * <p>{@link MatrixDraft} makes a matrix of what is ticked, {@link MatrixDraftService} reads what there is to tick and asks what a run of
 * it would be. The whole state is in the page's address; what comes of it is the file that the form of a new matrix takes. No package
 * may know it.
 */
@NullMarked
package dev.loomboard.matrixdraft;

import org.jspecify.annotations.NullMarked;
