/**
 * Finding by name what has a page: servers, JDK builds, machines, matrices, runs.
 *
 * <p>{@link LookupStore} looks in the tables, {@link LookupPages} shows what it found.
 */
@NullMarked
package dev.loomboard.lookup;

import org.jspecify.annotations.NullMarked;
