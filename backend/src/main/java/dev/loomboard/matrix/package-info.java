/** Matrices: what is to be measured, read strictly, and expanded into cells and trials for one machine. */
@NullMarked
package dev.loomboard.matrix;

import org.jspecify.annotations.NullMarked;
