package dev.loomboard.expansion;

import dev.loomboard.cell.TrialKind;

/**
 * A trial that a matrix asks for, before it has an id.
 *
 * @param cell ordinal of its cell
 * @param ordinal which trial of its cell and kind, from 1
 * @param position place in the order of execution, from 0
 */
public record TrialSlot(int cell, TrialKind kind, int ordinal, int position) {}
