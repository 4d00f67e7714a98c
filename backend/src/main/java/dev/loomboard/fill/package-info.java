/** The command {@code fill}: a database of a size that years of measuring would give, to see what the service makes of it. */
@NullMarked
package dev.loomboard.fill;

import org.jspecify.annotations.NullMarked;
