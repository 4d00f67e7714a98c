/**
 * Which build a regression came with: a noisy search over the builds that a machine has.
 *
 * <p>An owner starts it from the regression's page ({@link BisectionService}); the minutely job of {@code inbox} continues
 * it. {@link BuildRange} says which builds there are, {@link BisectionState} what is believed and measured next, by
 * {@link dev.loomboard.stats.bisection.Bisection}. Each step is a follow-up run of one cell on two builds and a row of
 * {@code bisection_step} ({@link BisectionRunStore}); {@link BisectionView} is what people see. The retraction of a version
 * that it rests on ends it.
 *
 * <p>It must not know {@code inbox}, which calls it.
 */
@NullMarked
package dev.loomboard.bisection;

import org.jspecify.annotations.NullMarked;
