/**
 * The leaderboard: the newest finished cell of each server, variant, collector and JDK build, per scenario.
 *
 * <p>A finished cell becomes an {@link EntryRow}; {@link RankService} ranks its board: {@link RankStore} reads the
 * candidates, {@link Ranking} makes simultaneous ranges by {@link dev.loomboard.stats.Ranks}, and the store writes what
 * changed. The page ({@link LeaderboardPages}) reads all entries as {@link EntrySummary}, {@link Board} filters and orders
 * them, and the fifty of a page are read in full. A column is a line in {@link BoardColumn}; the rank's cell is {@link Rank}
 * and {@code leaderboard/rank.jte}.
 *
 * <p>It must not know how numbers were made: {@code rollup} hands them over.
 */
@NullMarked
package dev.loomboard.leaderboard;

import org.jspecify.annotations.NullMarked;
