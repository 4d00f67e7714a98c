/**
 * JDK builds: their identity, their order along a history, the selectors that name them, and their pages.
 *
 * <p>{@link JdkReport} is what an agent says of a build, {@link JdkVersion} takes its version apart and gives the order,
 * {@link JdkStore} keeps builds and which machine has which, {@link JdkSelector} is the
 * grammar of {@code 28-ea} or {@code latest} and {@link JdkSelectors} resolves it.
 * {@link JdkPages} shows them.
 *
 * <p>It must not know how machines register or what was measured: it only counts machines and results for its pages.
 */
@NullMarked
package dev.loomboard.jdk;

import org.jspecify.annotations.NullMarked;
