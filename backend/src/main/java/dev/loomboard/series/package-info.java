/** What was measured, rolled up as it arrives: a trial in numbers, points of histories, and their reading. */
@NullMarked
package dev.loomboard.series;

import org.jspecify.annotations.NullMarked;
