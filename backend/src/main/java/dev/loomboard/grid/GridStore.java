package dev.loomboard.grid;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.instant;
import static dev.loomboard.kernel.Rows.json;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.textOrNull;
import static dev.loomboard.kernel.Rows.texts;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.cell.CellSql;
import dev.loomboard.cell.JdkSql;
import dev.loomboard.cell.Limits;
import dev.loomboard.cell.Standing;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kernel.WireName;
import dev.loomboard.retracted.RetractedSql;
import dev.loomboard.stats.paired.Verdict;
import dev.loomboard.verdict.DeclaredTest;
import io.r2dbc.spi.Readable;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** Reads the newest point of each line of a scenario. */
@Repository
class GridStore {

    /** Of series, which do not grow with nights. Plan: series_scenario_ix. */
    static final String SCENARIOS = """
            select distinct scenario_key from series
             where visible(series) order by 1 limit 500
            """;

    /** Plan: series_scenario_ix, then one step of point_series_measured_ix and of comparison_candidate_ix per line, primary keys. */
    static final String NEWEST = """
            select s.external_id as series, s.server, s.variant, s.concurrency_model, s.collector, s.protocol, s.metric,
                   s.track_feature, s.track_vendor, s.track_arch, m.external_id as machine, m.name as machine_name, p.*, ret.retracted,
                   v.verdict, v.effect, v.verdict_low, v.verdict_high, """ + JdkSql.columns("v", "against") + """

              from series s join machine m using (machine_id)
             cross join lateral (
                   select p.run_id, p.cell_id, r.external_id as run, p.mean, p.low, p.high, p.trials, p.eligible, p.standing, p.reason, p.measured_at, p.server_digest, j.slug as jdk,
                          c.framework, c.jvm_options, c.limits
                     from point p join run r using (run_id) join cell c on c.cell_id = p.cell_id
                     join jdk_build j on j.jdk_build_id = p.jdk_build_id
                    where p.series_id = s.series_id and visible(r)
                      and (s.metric <> 'throughput_per_s' or c.load ->> 'profile' = 'closed')
                    order by p.measured_at desc, p.point_id desc limit 1) p
              left join lateral (
                   select j.*, v.verdict, v.effect, v.low as verdict_low, v.high as verdict_high
                     from comparison v
                     join cell b on b.cell_id = v.baseline_cell_id
                     join jdk_build j on j.jdk_build_id = b.jdk_build_id
                    where v.candidate_cell_id = p.cell_id and v.metric = s.metric and v.axis = 'jdk' and v.verdict is not null
                    order by (j.feature <> s.track_feature) desc, j.build_order desc, j.jdk_build_id limit 1) v on true
            """
            + RetractedSql.join(new RetractedSql.Result(
                    "s.server", "p.server_digest", "s.workload", "s.scenario_key", "s.machine_id", "p.run_id"))
            + """
             where s.scenario_key = :scenario and s.metric = any(:metrics)
               and visible(s)
             limit 5000
            """;

    private final DatabaseClient database;

    GridStore(DatabaseClient database) {
        this.database = database;
    }

    Mono<List<String>> scenarios(Caller caller) {
        return VisibleSql.query(database, caller, SCENARIOS)
                .map(row -> text(row, "scenario_key"))
                .all()
                .collectList();
    }

    Mono<List<Grid.Point>> newest(String scenario, Caller caller) {
        return VisibleSql.query(database, caller, NEWEST)
                .bind("scenario", scenario)
                .bind("metrics", DeclaredTest.COMPARED.toArray(String[]::new))
                .map(GridStore::point)
                .all()
                .collectList();
    }

    private static Grid.Point point(Readable row) {
        return new Grid.Point(
                new Grid.Place(text(row, "machine"), text(row, "machine_name"), text(row, "protocol")),
                new Grid.Line(
                        CellSql.server(row),
                        text(row, "collector"),
                        texts(row, "jvm_options"),
                        Limits.of(json(row, "limits"))),
                new Grid.Track(whole(row, "track_feature"), text(row, "track_vendor"), text(row, "track_arch")),
                text(row, "metric"),
                new Grid.Value(
                        text(row, "series"),
                        text(row, "jdk"),
                        instant(row, "measured_at"),
                        Objects.requireNonNull(row.get("mean", Double.class)),
                        row.get("low", Double.class),
                        row.get("high", Double.class),
                        whole(row, "trials"),
                        flag(row, "eligible"),
                        WireName.of(Standing.class, text(row, "standing")),
                        textOrNull(row, "reason"),
                        RetractedSql.read(row),
                        judged(row)));
    }

    private static Grid.@Nullable Judged judged(Readable row) {
        String verdict = textOrNull(row, "verdict");
        return verdict == null
                ? null
                : new Grid.Judged(
                        Verdict.of(verdict),
                        Objects.requireNonNull(row.get("effect", Double.class)),
                        Objects.requireNonNull(row.get("verdict_low", Double.class)),
                        Objects.requireNonNull(row.get("verdict_high", Double.class)),
                        JdkSql.read(row, "against"),
                        text(row, "run"));
    }
}
