/** A database as of years of measuring, for benchmarks of pages. */
@NullMarked
package dev.loomboard.generate;

import org.jspecify.annotations.NullMarked;
