/**
 * The history of a metric along builds: series, points, notes, and their page.
 *
 * <p>{@link SeriesStore} reads a {@link SeriesFamily} with its changes, host states and notes by five queries, together with
 * {@link PointStore}, {@link ChangeViewStore} and {@link NoteStore}; {@link History} puts it together. Of up to 500 points a
 * track it keeps {@link TrackPoints}, from which {@link HistoryChart} and
 * {@link dev.loomboard.stats.change.MinimumDetectableEffect} are made; only the listed points are read in full. The CSV has up to
 * 10 000.
 *
 * <p>It reads changes and decides nothing about them; it must not know {@code regression}.
 */
@NullMarked
package dev.loomboard.history;

import org.jspecify.annotations.NullMarked;
