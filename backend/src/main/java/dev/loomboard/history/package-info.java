/**
 * The history of a metric along builds: series, points, notes, and their page.
 *
 * <p>{@link dev.loomboard.history.SeriesStore} reads a family with its changes, host states and notes by five queries, together
 * with {@link dev.loomboard.history.PointStore}, {@link dev.loomboard.history.ChangeViewStore} and
 * {@link dev.loomboard.history.NoteStore}. Of up to 500 points a track it keeps {@link dev.loomboard.history.TrackPoints}, from which
 * the chart and {@link dev.loomboard.stats.MinimumDetectableEffect} are made; only the listed points are read in full. The
 * CSV has them all.
 */
@NullMarked
package dev.loomboard.history;

import org.jspecify.annotations.NullMarked;
