package dev.loomboard.matching;

import org.springframework.r2dbc.core.DatabaseClient;

/** Reads comparisons without Spring, for tests of other packages. */
public final class StoredComparisons {

    private StoredComparisons() {}

    public static CompareStore of(DatabaseClient database) {
        return new CompareStore(database, new AttemptStore(database));
    }
}
