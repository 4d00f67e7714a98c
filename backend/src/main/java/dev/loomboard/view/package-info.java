/** Formats, charts and badges that several pages share. Plain Java. */
@NullMarked
package dev.loomboard.view;

import org.jspecify.annotations.NullMarked;
