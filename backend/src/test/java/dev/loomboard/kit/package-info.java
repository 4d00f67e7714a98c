/**
 * What tests stand on: a real PostgreSQL with a database per class, the whole service once per JVM, and its callers.
 *
 * <p>A test of a store extends {@link StoreTest}, one that speaks HTTP {@link WebTest}, one of numbers
 * {@link RollupTest}. {@link Cast} has the callers. Rows are made by {@link Results}, {@link TrialRows},
 * {@link HistoryRows} and their like; {@link PlannedTrial} and {@link LiveRun} are runs under way;
 * {@link ServiceProcess} can be killed.
 *
 * <p>There are no mocks of our own types, and no test here.
 */
@NullMarked
package dev.loomboard.kit;

import org.jspecify.annotations.NullMarked;
