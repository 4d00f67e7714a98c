/** Decoders against arbitrary bytes: a short pass over committed corpora here, hours of it by {@code make fuzz}. */
@NullMarked
package dev.loomboard.fuzz;

import org.jspecify.annotations.NullMarked;
