/**
 * The grid of newest points, servers by builds ({@code /compare/grid}): {@link GridStore} reads them, {@link Grid} lays them out. It
 * ranks and judges nothing.
 */
@NullMarked
package dev.loomboard.grid;

import org.jspecify.annotations.NullMarked;
