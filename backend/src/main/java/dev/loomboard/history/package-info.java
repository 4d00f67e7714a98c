/** The history of a metric along builds: series, points, detected changes, notes, and their page. */
@NullMarked
package dev.loomboard.history;

import org.jspecify.annotations.NullMarked;
