package dev.loomboard.grid;

import java.util.List;

/** The grid's queries, for tests of their plans. */
public final class GridQueries {

    public static final List<String> ALL = List.of(GridStore.SCENARIOS, GridStore.NEWEST);

    private GridQueries() {}
}
