package dev.loomboard.shift;

import java.util.List;

/** The queries of two cells, for tests of their plans. */
public final class CellDetailQueries {

    public static final List<String> ALL = List.of(CellDetailStore.CELLS, CellDetailStore.TRIALS);

    private CellDetailQueries() {}
}
