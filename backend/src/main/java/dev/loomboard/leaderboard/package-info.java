/** The leaderboard: the newest finished cell of each server, variant, collector and JDK build, per scenario. */
@NullMarked
package dev.loomboard.leaderboard;

import org.jspecify.annotations.NullMarked;
