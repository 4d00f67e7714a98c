/** Two JDK builds side by side: the same cells on the same machine. */
@NullMarked
package dev.loomboard.compare;

import org.jspecify.annotations.NullMarked;
