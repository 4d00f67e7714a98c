/**
 * Versions of servers and workloads, machines and runs that were found wrong: their results stay readable and do not
 * count.
 *
 * <p>An administrator retracts on {@code /retractions}, to which pages of trials, machines and runs link; an owner
 * retracts runs ({@link RetractionPages},
 * {@link RetractionService}, {@link RetractionStore}); the boards concerned are ranked again. Every query that shows or
 * weighs a result joins {@link dev.loomboard.retracted.RetractedSql}; a new query has to as well. A retracted result ranks
 * nowhere, has no verdict and keeps no regression open. Withdrawing the retraction restores it.
 *
 * <p>It must not change results: a retraction is looked up, not copied to them.
 */
@NullMarked
package dev.loomboard.retraction;

import org.jspecify.annotations.NullMarked;
