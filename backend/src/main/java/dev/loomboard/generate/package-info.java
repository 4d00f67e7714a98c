/**
 * The command {@code fill}: a database as of years of measuring, for benchmarks of pages.
 *
 * <p>{@link FillApplication} starts it, {@link GeneratedSize} says how much, {@link GeneratedDatabase} makes it in one
 * transaction from the SQL in {@code resources/fill}. {@link GeneratedRawData} makes what an agent would have uploaded of
 * the newest trials; the service's own roll-up does the rest.
 *
 * <p>It must never touch a database that holds anything.
 */
@NullMarked
package dev.loomboard.generate;

import org.jspecify.annotations.NullMarked;
