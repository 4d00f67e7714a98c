package dev.loomboard.cell;

import static dev.loomboard.kernel.Rows.json;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.textOrNull;
import static dev.loomboard.kernel.Rows.texts;

import dev.loomboard.kernel.WireName;
import io.r2dbc.spi.Readable;

/** The columns of what was run, and how a row is read that has them under their own names. */
public final class CellSql {

    /** Of {@code machine} as {@code m}. */
    public static final String MACHINE = " m.external_id as machine, m.slug as machine_slug, m.name as machine_name ";

    /** Of {@code run} as {@code r}: scored trials of a cell whose spread decided how many there are; null: nothing did. */
    public static final String PILOT =
            " case when r.pilot is not null then (r.spec #>> '{trials,scored}')::int end as pilot ";

    private CellSql() {}

    /** @param table alias of one that has them: {@code cell}, {@code leaderboard_entry} */
    public static String server(String table) {
        return " %1$s.server, %1$s.variant, %1$s.framework, %1$s.concurrency_model ".formatted(table);
    }

    public static ServerVariant server(Readable row) {
        return new ServerVariant(
                text(row, "server"),
                text(row, "variant"),
                WireName.of(ConcurrencyModel.class, text(row, "concurrency_model")),
                textOrNull(row, "framework"));
    }

    /** Of the columns collector, jvm_options, limits and protocol. */
    public static CellSettings settings(Readable row) {
        return new CellSettings(
                text(row, "collector"),
                texts(row, "jvm_options"),
                Limits.of(json(row, "limits")),
                text(row, "protocol"));
    }

    public static MachineRef machine(Readable row) {
        return new MachineRef(text(row, "machine"), text(row, "machine_slug"), text(row, "machine_name"));
    }
}
