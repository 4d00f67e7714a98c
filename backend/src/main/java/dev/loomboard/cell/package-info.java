/** What was run, each shape once: the identity of a cell, its JDK build, load, limits, and the versions that were retracted. Plain Java but for shared SQL. */
@NullMarked
package dev.loomboard.cell;

import org.jspecify.annotations.NullMarked;
