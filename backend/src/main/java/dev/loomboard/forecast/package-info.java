/**
 * What a matrix would measure on a machine as it is now, how long that takes, and how small a change of the JDK it would find.
 *
 * <p>{@link RunForecast} says it of a layout; {@link SeriesSpreadStore} reads how much launches varied so far, and
 * {@link RunForecastService} asks for all of it. Where nothing was measured yet, {@link SeriesSpread#ASSUMED} is taken and named.
 *
 * <p>It must not know when or why a run is made: schedules and forms ask it.
 */
@NullMarked
package dev.loomboard.forecast;

import org.jspecify.annotations.NullMarked;
