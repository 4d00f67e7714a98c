/** The append-only record of who did what that matters. */
@NullMarked
package dev.loomboard.audit;

import org.jspecify.annotations.NullMarked;
