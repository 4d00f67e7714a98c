/** Runner machines: how they register, what they have, whether they are there. */
@NullMarked
package dev.loomboard.machine;

import org.jspecify.annotations.NullMarked;
