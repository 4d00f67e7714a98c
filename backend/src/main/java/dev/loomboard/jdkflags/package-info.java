/**
 * All flags of JDK builds whose JVM is given no options, as agents read them, and which of them another build changed.
 *
 * <p>{@link dev.loomboard.jdkflags.JdkFlagApi} asks an agent for those that are not known of the host as it is; {@link FlagChanges} sets two
 * builds on one machine side by side. Flags of one trial are another thing: they are {@code measurement}'s.
 */
@NullMarked
package dev.loomboard.jdkflags;

import org.jspecify.annotations.NullMarked;
