/**
 * What a run decided: the page of every test that was declared when it was created, with what came of it, or why nothing did.
 *
 * <p>{@link RunVerdictsPages} shows a {@link RunVerdictsPage}, {@link RunVerdictsStore} reads it. The tests themselves are judged in
 * {@code verdict}; the run's own page is in {@code runpages}.
 */
@NullMarked
package dev.loomboard.runverdicts;

import org.jspecify.annotations.NullMarked;
