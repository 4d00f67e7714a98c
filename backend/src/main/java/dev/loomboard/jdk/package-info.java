/** JDK builds: their identity, their order along a history, and the selectors that name them. */
@NullMarked
package dev.loomboard.jdk;

import org.jspecify.annotations.NullMarked;
