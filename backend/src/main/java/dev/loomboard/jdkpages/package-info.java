/**
 * Pages of JDK builds: all, of one feature release, and one with what it changed.
 *
 * <p>{@link JdkPageStore} reads the builds that a caller may see ({@link JdkView}); {@link BuildStep} is what one changed against another
 * before it, as {@code matching} compares them, with the default flags that differ ({@code jdkflags}), and
 * {@link dev.loomboard.jdk.SourceChanges} where the sources of both can be compared.
 *
 * <p>It judges nothing. Nobody but its addresses may know it.
 */
@NullMarked
package dev.loomboard.jdkpages;

import org.jspecify.annotations.NullMarked;
