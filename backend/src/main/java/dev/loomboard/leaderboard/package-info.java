/**
 * The leaderboard: the newest finished cell of each server, variant, collector and JDK build, per scenario.
 *
 * <p>A finished cell becomes an {@link dev.loomboard.leaderboard.EntryRow}; {@link dev.loomboard.leaderboard.RankService} then ranks its
 * board: {@link dev.loomboard.leaderboard.RankStore} reads the candidates, {@link dev.loomboard.leaderboard.Ranking} makes
 * simultaneous ranges by {@link dev.loomboard.stats.Ranks}, and the store writes what changed. The page reads all entries as
 * {@link dev.loomboard.leaderboard.EntrySummary}, {@link dev.loomboard.leaderboard.Board} filters and orders them, and the fifty of
 * a page are read in full. A column is a line in {@link dev.loomboard.leaderboard.BoardColumn}; the rank's cell is
 * {@link dev.loomboard.leaderboard.Rank}.
 */
@NullMarked
package dev.loomboard.leaderboard;

import org.jspecify.annotations.NullMarked;
