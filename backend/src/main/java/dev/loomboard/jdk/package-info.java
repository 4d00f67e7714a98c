/**
 * JDK builds: their identity, their order along a history, and the selectors that name them.
 *
 * <p>{@link JdkReport} is what an agent says of a build, {@link JdkVersion} takes its version apart and gives the order,
 * {@link JdkStore} keeps builds and which machine has which, {@link JdkSelector} is the
 * grammar of {@code 28-ea} or {@code latest} and {@link JdkSelectors} resolves it.
 *
 * <p>It must not know how machines register or what was measured. Its pages are {@code jdkpages}.
 */
@NullMarked
package dev.loomboard.jdk;

import org.jspecify.annotations.NullMarked;
