package dev.loomboard.cell;

/** Who may see a machine, matrix, run or result: everybody, or the members of its workspace. */
public enum Visibility implements WireName {
    PUBLIC,
    PRIVATE
}
