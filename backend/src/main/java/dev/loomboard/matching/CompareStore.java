package dev.loomboard.matching;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.instant;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.textOrNull;

import dev.loomboard.cell.CellSql;
import dev.loomboard.cell.Jdk;
import dev.loomboard.cell.JdkSql;
import dev.loomboard.cell.Standing;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kernel.WireName;
import dev.loomboard.retracted.RetractedSql;
import dev.loomboard.scenario.ScenarioSql;
import dev.loomboard.verdict.DeclaredTest;
import dev.loomboard.verdict.JudgedTest;
import dev.loomboard.verdict.VerdictStore;
import io.r2dbc.spi.Readable;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** Reads the cells that two JDK builds share. */
@Repository
public class CompareStore {

    static final String BUILDS = "select " + JdkSql.COLUMNS + " from jdk_build j where j.slug = any(:slugs)"
            + " and j.feature > 0 and "
            + JdkSql.seen("j") + " limit 2";

    /**
     * The newest point of each series of the two builds' tracks on each build, and the test in which its cell stands
     * against one of the other build. Series that the caller does not see are left out at once: all their points would be
     * gone through to find that none is to be seen. Plan: jdk_build_slug_uq, series_track_ix, one step into point_build_ix
     * per series, primary keys, comparison_cells_uq.
     */
    static final String SIDES = """
            with side as (
              select s.workspace_id, s.family_key, j.slug as build, s.scenario_key, s.workload, """ + CellSql.server("c") + """
                   , s.collector, c.jvm_options, c.limits, s.protocol, """ + CellSql.MACHINE + """
                   , s.machine_id, p.run_id, s.metric,
                     s.external_id as series, p.run, c.external_id as cell, p.measured_at, p.mean,
                     p.trial_values, p.eligible, p.standing, p.reason, p.server_digest, p.fingerprint_hash, p.cell_id
                from jdk_build j
                join series s on s.track_feature = j.feature and s.track_vendor = j.vendor and s.track_arch = j.architecture
                             and s.metric = any(:metrics) and (s.metric <> 'throughput_per_s' or"""
            + ScenarioSql.closed("s.scenario_key") + """
                             )
                             and visible(s)
                join machine m on m.machine_id = s.machine_id
               cross join lateral (
                     select p.cell_id, p.run_id, p.measured_at, p.mean, p.trial_values, p.eligible, p.standing, p.reason, p.server_digest,
                            p.fingerprint_hash, r.external_id as run
                       from point p join run r on r.run_id = p.run_id
                      where p.series_id = s.series_id and p.jdk_build_id = j.jdk_build_id
                        and visible(r)
                      order by p.run_id desc, p.point_id desc limit 1) p
                join cell c on c.cell_id = p.cell_id
               where j.slug = any(:slugs)
               limit 10000)
            select side.*, ret.retracted, v.family_size, v.methodology, """ + VerdictStore.OUTCOME + """

              from side
              left join lateral (
                   select t.* from comparison t
                     join cell o on o.cell_id = t.candidate_cell_id
                     join jdk_build b on b.jdk_build_id = o.jdk_build_id
                    where t.baseline_cell_id = side.cell_id and t.metric = side.metric and t.axis = 'jdk' and b.slug = any(:slugs)
                    limit 1) v on true
            """
            + RetractedSql.join(new RetractedSql.Result(
                    "side.server",
                    "side.server_digest",
                    "side.workload",
                    "side.scenario_key",
                    "side.machine_id",
                    "side.run_id"));

    private final DatabaseClient database;
    private final AttemptStore attempts;

    CompareStore(DatabaseClient database, AttemptStore attempts) {
        this.database = database;
        this.attempts = attempts;
    }

    /** In what is judged. */
    public Mono<Comparison> compare(String baseline, String candidate, Caller caller) {
        return compare(baseline, candidate, DeclaredTest.COMPARED, caller);
    }

    /** By slugs; empty when either build does not exist. Three queries. */
    public Mono<Comparison> compare(String baseline, String candidate, List<String> metrics, Caller caller) {
        String[] slugs = {baseline, candidate};
        return VisibleSql.query(database, caller, BUILDS)
                .bind("slugs", slugs)
                .map(row -> JdkSql.read(row))
                .all()
                .collectMap(Jdk::slug)
                .filter(builds -> builds.containsKey(baseline) && builds.containsKey(candidate))
                .flatMap(builds -> sides(slugs, metrics, caller)
                        .map(rows -> CellMatcher.of(
                                Objects.requireNonNull(builds.get(baseline)),
                                Objects.requireNonNull(builds.get(candidate)),
                                rows)))
                .flatMap(found -> attempts.with(found, caller));
    }

    private Mono<List<CellMatcher.Row>> sides(String[] slugs, List<String> metrics, Caller caller) {
        return VisibleSql.query(database, caller, SIDES)
                .bind("slugs", slugs)
                .bind("metrics", metrics.toArray(String[]::new))
                .map(CompareStore::side)
                .all()
                .collectList();
    }

    private static CellMatcher.Row side(Readable row) {
        return side(
                row,
                number(row, "workspace_id") + "|" + text(row, "family_key"),
                text(row, "build"),
                null,
                VerdictStore.judged(row));
    }

    /**
     * Of a row with the newest point of a series, its cell, its machine and its run.
     *
     * @param key what the cells that are compared share
     * @param side its name
     * @param jdk null: it is what is compared
     */
    static CellMatcher.Row side(
            Readable row, String key, String side, @Nullable String jdk, @Nullable JudgedTest judged) {
        return new CellMatcher.Row(
                key,
                side,
                text(row, "server_digest"),
                text(row, "fingerprint_hash"),
                flag(row, "eligible"),
                new Comparison.Cell(
                        text(row, "scenario_key"),
                        text(row, "workload"),
                        CellSql.server(row),
                        CellSql.settings(row),
                        CellSql.machine(row),
                        jdk,
                        text(row, "metric")),
                new Comparison.Side(
                        text(row, "series"),
                        text(row, "run"),
                        text(row, "cell"),
                        instant(row, "measured_at"),
                        Objects.requireNonNull(row.get("mean", Double.class)),
                        List.of(Objects.requireNonNull(row.get("trial_values", Double[].class))),
                        WireName.of(Standing.class, text(row, "standing")),
                        textOrNull(row, "reason"),
                        RetractedSql.read(row)),
                judged);
    }
}
