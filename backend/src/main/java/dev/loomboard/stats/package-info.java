/** Every formula, once, in plain Java: STATISTICS in code. Deterministic: StrictMath, and sums in trial order. */
@NullMarked
package dev.loomboard.stats;

import org.jspecify.annotations.NullMarked;
