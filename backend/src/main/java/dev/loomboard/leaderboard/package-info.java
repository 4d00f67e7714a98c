/**
 * The leaderboard's page: the newest finished cell of each server, variant, collector and JDK build, per scenario.
 *
 * <p>{@link LeaderboardPages} reads all entries as {@link EntrySummary}, {@link Board} filters and orders them, and the fifty of a
 * page are read in full. A column is a line in {@link BoardColumn}; the rank's cell is {@link Rank} and
 * {@code leaderboard/rank.jte}. Entries and ranks are made in {@code ranking}.
 */
@NullMarked
package dev.loomboard.leaderboard;

import org.jspecify.annotations.NullMarked;
