/**
 * The leaderboard's rows and their ranks, made when a cell finishes.
 *
 * <p>A finished cell becomes an {@link EntryRow} of one board ({@link BoardKey}), which {@link LeaderboardRollupStore} writes.
 * {@link RankService} ranks the board: {@link RankStore} reads the candidates, {@link Ranking} makes simultaneous ranges by
 * {@link dev.loomboard.stats.Ranks}, and the store writes what changed.
 *
 * <p>It must not know how numbers were made, which {@code rollup} hands over, or how the board is shown.
 */
@NullMarked
package dev.loomboard.ranking;

import org.jspecify.annotations.NullMarked;
