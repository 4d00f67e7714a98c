/**
 * Two cells in full ({@code /compare/cells}): {@link ShiftFunction} describes how each percentile moved, from the histograms of
 * their trials; {@link ShiftChart} draws it. It describes and does not judge.
 */
@NullMarked
package dev.loomboard.shift;

import org.jspecify.annotations.NullMarked;
