/**
 * The methods measured on seeded noise: how often they report what is not there, and what they miss.
 *
 * <p>{@link SimulationSetup} says what is played on which {@link Noise}; {@link SimulatedSeries} watches one series night by
 * night ({@link SimulatedWatch}, {@link SimulatedScreen}, {@link SimulatedRerun}) with the formulas of {@code stats};
 * {@link FindablePower} and {@link RankCoverage} play verdicts and boards by themselves; {@link Simulation} counts, {@link SimulationReport} makes figures of the counts, {@link Goals} says what they should
 * reach.
 *
 * <p>Plain Java on {@code stats} alone: no database, no clock.
 */
@NullMarked
package dev.loomboard.simulation;

import org.jspecify.annotations.NullMarked;
