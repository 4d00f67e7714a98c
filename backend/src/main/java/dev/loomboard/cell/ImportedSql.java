package dev.loomboard.cell;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.instant;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.textOrNull;

import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;

/** The part of a query that says whether a run was imported, and how a row is read that has it. */
public final class ImportedSql {

    /** Of the joined row, and of the run's {@code machine} as {@code m}. */
    public static final String COLUMNS = """
             i.service as origin_service, i.origin_id as origin_run, i.exported_at, i.imported_at,
             m.admitted_at is not null as machine_admitted,
             case when i.run_id is not null
                  then (select coalesce(string_agg(distinct a.agent_version, ', '), '') from trial a where a.run_id = i.run_id)
             end as origin_agents
            """;

    /** To {@code run} as {@code r}. Plan: imported_run_pk, then trial_run_ix. */
    public static final String JOIN = " left join imported_run i on i.run_id = r.run_id ";

    private ImportedSql() {}

    /** Null: it was measured here. */
    public static @Nullable Imported read(Readable row) {
        String service = textOrNull(row, "origin_service");
        return service == null
                ? null
                : new Imported(
                        service,
                        text(row, "origin_run"),
                        instant(row, "exported_at"),
                        instant(row, "imported_at"),
                        text(row, "origin_agents"),
                        flag(row, "machine_admitted"));
    }
}
