package dev.loomboard.backup;

import java.util.List;

/**
 * What a backup holds.
 *
 * @param schema Flyway's version of the schema, such as 066
 */
record Manifest(String format, String createdAt, String schema, List<Table> tables, List<Sequence> sequences) {

    static final String FORMAT = "loomboard.backup/1";

    /**
     * @param bytes of its file, unpacked
     * @param sha256 of the same
     */
    record Table(String name, List<String> columns, long rows, long bytes, String sha256) {

        Table {
            columns = List.copyOf(columns);
        }

        String file() {
            return "tables/" + name + ".copy";
        }
    }

    /** @param called false: {@code value} itself is the next */
    record Sequence(String name, long value, boolean called) {}

    Manifest {
        tables = List.copyOf(tables);
        sequences = List.copyOf(sequences);
    }

    long rows() {
        return tables.stream().mapToLong(Table::rows).sum();
    }
}
