/** What every feature builds on: identifiers, callers and secrets, checks of fields, columns of rows. Plain Java but for the rows. */
@NullMarked
package dev.loomboard.kernel;

import org.jspecify.annotations.NullMarked;
