package dev.loomboard.history;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.instant;
import static dev.loomboard.kernel.Rows.instantOrNull;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.textOrNull;

import dev.loomboard.cell.JdkSql;
import dev.loomboard.changepoint.ChangeDirection;
import dev.loomboard.changepoint.ChangeState;
import dev.loomboard.changepoint.ChangeStatus;
import dev.loomboard.changepoint.ConfirmedBy;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kernel.WireName;
import dev.loomboard.retracted.RetractedSql;
import dev.loomboard.stats.paired.Verdict;
import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** Reads what histories show of their change points; {@link ChangePointStore} keeps them. */
@Repository
public class ChangeViewStore {

    /**
     * Change points whose first point the caller may see, with what their rerun showed. What the nightly screen alone raised is none. Plan: change_point_series_uq, primary
     * keys, comparison_run_uq.
     */
    public static final String CHANGES = """
            select c.series_id, c.point_id, c.external_id, r.external_id as run, p.measured_at, c.before, c.after, c.p, c.direction, c.standing,
                   c.status, c.confirmed_by, c.history_at, c.history_change, c.history_p, c.history_reason, c.rerun_reason,
                   c.detected_at, c.decided_at, c.jdk_build_id <> c.good_build_id as of_the_build,
                   j.lineage_hash <> g.lineage_hash as distribution,
                   """ + JdkSql.COLUMNS + ", " + JdkSql.columns("g", "good") + """
                   , x.external_id as rerun, v.verdict, v.effect, v.low, v.high,
                   coalesce(b.jdk_build_id = c.jdk_build_id, false) as turned, ret.retracted
              from change_point c
              join series s on s.series_id = c.series_id
              join point p on p.point_id = c.point_id
              join run r on r.run_id = p.run_id
              join jdk_build j on j.jdk_build_id = c.jdk_build_id
              join jdk_build g on g.jdk_build_id = c.good_build_id
              left join run x on x.run_id = c.rerun_run_id
                             and visible(x)
              left join comparison v on v.comparison_id = c.rerun_comparison_id and v.run_id = x.run_id
              left join cell b on b.cell_id = v.baseline_cell_id
            """
            + RetractedSql.join(new RetractedSql.Result(
                    "s.server", "p.server_digest", "s.workload", "s.scenario_key", "s.machine_id", "p.run_id"))
            + """
             where c.series_id = any(:series::bigint[])
               and visible(r)
               and (c.screen_change is null or c.standing or c.status = 'confirmed')
             order by c.series_id, j.build_order, j.jdk_build_id
             limit 1000
            """;

    private final DatabaseClient database;

    public ChangeViewStore(DatabaseClient database) {
        this.database = database;
    }

    /** @param series internal keys, of series that the caller sees */
    Mono<List<ChangeView>> of(Long[] series, Caller caller) {
        return VisibleSql.query(database, caller, CHANGES)
                .bind("series", series)
                .map(ChangeViewStore::change)
                .all()
                .collectList();
    }

    private static ChangeView change(Readable row) {
        Instant looked = instantOrNull(row, "history_at");
        Double change = row.get("history_change", Double.class);
        String rerun = textOrNull(row, "rerun");
        return new ChangeView(
                new ChangeView.Keys(number(row, "series_id"), number(row, "point_id")),
                text(row, "external_id"),
                JdkSql.read(row),
                JdkSql.read(row, "good"),
                text(row, "run"),
                instant(row, "measured_at"),
                new ChangeView.Level(value(row, "before"), value(row, "after"), value(row, "p")),
                state(row),
                new ChangeView.Evidence(
                        looked == null || change == null
                                ? null
                                : new ChangeView.Look(
                                        looked,
                                        change,
                                        row.get("history_p", Double.class),
                                        textOrNull(row, "history_reason")),
                        rerun == null ? null : rerun(row, rerun),
                        textOrNull(row, "rerun_reason"),
                        RetractedSql.read(row)),
                new ChangeView.Cause(flag(row, "of_the_build"), flag(row, "distribution")));
    }

    /** Of a row with the columns of the same names. */
    public static ChangeState state(Readable row) {
        String by = textOrNull(row, "confirmed_by");
        return new ChangeState(
                WireName.of(ChangeStatus.class, text(row, "status")),
                WireName.of(ChangeDirection.class, text(row, "direction")),
                by == null ? null : WireName.of(ConfirmedBy.class, by),
                flag(row, "standing"),
                instant(row, "detected_at"),
                instantOrNull(row, "decided_at"));
    }

    private static ChangeView.Rerun rerun(Readable row, String run) {
        String verdict = textOrNull(row, "verdict");
        ChangeView.Rerun rerun = new ChangeView.Rerun(
                run,
                verdict == null ? null : Verdict.of(verdict),
                row.get("effect", Double.class),
                row.get("low", Double.class),
                row.get("high", Double.class));
        return flag(row, "turned") ? rerun.turned() : rerun;
    }

    private static double value(Readable row, String column) {
        return Objects.requireNonNull(row.get(column, Double.class), column);
    }
}
