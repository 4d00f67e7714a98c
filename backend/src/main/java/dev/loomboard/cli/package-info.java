/** The commands that the program has beside the service: their options, what they print and their exit codes. */
@NullMarked
package dev.loomboard.cli;

import org.jspecify.annotations.NullMarked;
