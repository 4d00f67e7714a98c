package dev.loomboard.run;

import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.textOrNull;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.kernel.WireName;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;

/** The part of a query that says whether a run was stopped, and how a row is read that has it. */
public final class StoppedSql {

    /** Of the joined row. */
    public static final String COLUMNS = " st.stop_kind, st.stop_reason, st.trials_done, st.trials_planned ";

    /** To {@code run} as {@code r}. A trial that was made again counts once. Plan: trial_run_ix, only of a run that was stopped. */
    public static final String JOIN = """
             left join lateral (
               select r.stop_kind, r.stop_reason,
                      (count(distinct (t.cell_id, t.kind, t.ordinal)) filter (where t.state = 'done'))::int as trials_done,
                      greatest(coalesce(r.planned_trials, 0), count(distinct (t.cell_id, t.kind, t.ordinal)))::int as trials_planned
                 from trial t where t.run_id = r.run_id
               having r.state = 'cancelled' and r.stop_kind is not null) st on true
            """;

    private StoppedSql() {}

    /** Null: it was not, or has not ended yet. */
    public static @Nullable Stopped read(Readable row) {
        String kind = textOrNull(row, "stop_kind");
        return kind == null
                ? null
                : new Stopped(
                        WireName.of(RunStop.Kind.class, kind),
                        text(row, "stop_reason"),
                        whole(row, "trials_done"),
                        whole(row, "trials_planned"));
    }
}
