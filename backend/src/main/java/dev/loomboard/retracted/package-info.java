/**
 * What administrators declared wrong and must no longer count: {@link Retracted} says what and why, {@link Version} of which
 * kind, and every query that shows or weighs results joins {@link RetractedSql}. {@code retraction} has the pages.
 */
@NullMarked
package dev.loomboard.retracted;

import org.jspecify.annotations.NullMarked;
