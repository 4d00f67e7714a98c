/** Which build a regression came with: a noisy search over the builds that a machine has. */
@NullMarked
package dev.loomboard.bisection;

import org.jspecify.annotations.NullMarked;
