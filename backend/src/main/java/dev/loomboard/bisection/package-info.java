/**
 * Which build a regression came with: a noisy search over the builds that a machine has.
 *
 * <p>An owner starts it from the regression's page ({@link dev.loomboard.bisection.BisectionService}); the minutely job of
 * {@code inbox} continues it. {@link dev.loomboard.bisection.BisectionState} says by {@link dev.loomboard.stats.Bisection} which build
 * is measured next. Each step is a follow-up run of one cell on two builds, and its result is a row of
 * {@code bisection_step}. The retraction of a version that it rests on ends it.
 */
@NullMarked
package dev.loomboard.bisection;

import org.jspecify.annotations.NullMarked;
