package dev.loomboard.matching;

import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;

import dev.loomboard.cell.CellSql;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.retracted.RetractedSql;
import dev.loomboard.verdict.ComparisonDimension;
import dev.loomboard.verdict.DeclaredTest;
import dev.loomboard.verdict.JudgedTest;
import dev.loomboard.verdict.VerdictStore;
import io.r2dbc.spi.Readable;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** Reads what sides other than JDK builds have in common: servers, collectors, limits, machine classes, runs. */
@Repository
class MultiComparisonStore {

    private static final String LINE = """
            select s.series_id, s.machine_id, s.series_key, s.external_id as series, s.workspace_id, s.scenario_key, s.workload, s.server,
                   s.variant, s.concurrency_model, s.collector, s.limits as series_limits, s.protocol, s.metric,
                   """ + CellSql.MACHINE + """
                   , m.class_hash
              from series s join machine m using (machine_id)
             where s.metric = any(:metrics) and visible(s) and
            """;

    private static final String POINT = """
            select p.cell_id, p.run_id, p.point_id, p.measured_at, p.mean, p.trial_values, p.eligible, p.standing, p.reason, p.server_digest,
                   p.fingerprint_hash, r.external_id as run, c.external_id as cell, c.framework, c.jvm_options, c.limits, j.slug as jdk
              from point p join run r using (run_id) join cell c on c.cell_id = p.cell_id
              join jdk_build j on j.jdk_build_id = p.jdk_build_id
             where visible(r)
               and (line.metric <> 'throughput_per_s' or c.load ->> 'profile' = 'closed')
            """;

    private static final String RETRACTED = RetractedSql.join(new RetractedSql.Result(
            "line.server", "p.server_digest", "line.workload", "line.scenario_key", "line.machine_id", "p.run_id"));

    /** The number of newest points of a line that are searched for a run with both sides. */
    private static final int DEPTH = 6;

    private static final String NEWEST =
            "with line as materialized (" + LINE + """
            %s limit 10000)
            select line.*, p.*, ret.retracted from line cross join lateral (
            """ + POINT + """
               and p.series_id = line.series_id order by p.measured_at desc, p.point_id desc limit\s""" + DEPTH + """
            ) p
            """ + RETRACTED + """
             order by p.measured_at desc, p.point_id desc
            """;

    /** Plan: series_server_ix, then the newest steps of point_series_measured_ix per line, primary keys. */
    static final String SERVERS = NEWEST.formatted(
            "(s.server, s.variant) in (select split_part(v, '/', 1), split_part(v, '/', 2) from unnest(:sides::text[]) v)");

    /** Plan: as {@link #SERVERS}, from series_collector_ix. */
    static final String COLLECTORS = NEWEST.formatted("s.collector = any(:sides::text[])");

    /** Plan: as {@link #SERVERS}, from series_limits_ix. */
    static final String LIMITS = NEWEST.formatted("s.limits = any(:sides::text[])");

    /** Plan: as {@link #SERVERS}, from machine_class_ix and series_machine_ix. */
    static final String MACHINES = NEWEST.formatted("m.class_hash = any(:sides::text[])");

    /** Plan: run_external_id_uq, cell_ordinal_uq, point_cell_uq, primary keys. */
    static final String RUNS = """
            select line.*, p.*, ret.retracted from run x
              join cell k on k.run_id = x.run_id
              join point q on q.cell_id = k.cell_id
             cross join lateral (
            """ + LINE + """
             s.series_id = q.series_id) line
             cross join lateral (
            """ + POINT + """
               and p.point_id = q.point_id) p
            """ + RETRACTED + """
             where x.external_id = any(:sides::text[])
             order by p.measured_at desc, p.point_id desc limit 10000
            """;

    /** Plan: comparison_cells_uq, primary keys. */
    static final String TESTS = """
            select a.external_id as a, b.external_id as b, v.metric, v.family_size, v.methodology, """ + VerdictStore.OUTCOME + """

              from comparison v
              join cell a on a.cell_id = v.baseline_cell_id
              join cell b on b.cell_id = v.candidate_cell_id
             where v.baseline_cell_id = any(:cells::bigint[]) and v.candidate_cell_id = any(:cells::bigint[])
             limit 10000
            """;

    private final DatabaseClient database;

    MultiComparisonStore(DatabaseClient database) {
        this.database = database;
    }

    /** A declared test by the external ids of its cells. */
    record Key(String baseline, String candidate, String metric) {}

    /** Newest first. */
    Mono<List<SeriesMatcher.Point>> points(ComparisonDimension subject, List<String> sides, Caller caller) {
        return VisibleSql.query(database, caller, sql(subject))
                .bind("sides", sides.stream().map(subject::stored).toArray(String[]::new))
                .bind("metrics", DeclaredTest.COMPARED.toArray(String[]::new))
                .map(row -> point(subject, row))
                .all()
                .collectList();
    }

    /** @param cells internal keys, of cells that the caller may see */
    Mono<Map<Key, JudgedTest>> tests(List<Long> cells) {
        return database.sql(TESTS)
                .bind("cells", cells.toArray(Long[]::new))
                .map(row -> Map.entry(
                        new Key(text(row, "a"), text(row, "b"), text(row, "metric")),
                        Objects.requireNonNull(VerdictStore.judged(row))))
                .all()
                .collectMap(Map.Entry::getKey, Map.Entry::getValue);
    }

    private static String sql(ComparisonDimension subject) {
        return switch (subject) {
            case JDK -> throw new IllegalArgumentException("builds are read by CompareStore");
            case SERVER -> SERVERS;
            case COLLECTOR -> COLLECTORS;
            case LIMITS -> LIMITS;
            case MACHINE -> MACHINES;
            case RUN -> RUNS;
        };
    }

    private static SeriesMatcher.Point point(ComparisonDimension subject, Readable row) {
        String rest = number(row, "workspace_id") + "|" + subject.rest(text(row, "series_key"));
        return new SeriesMatcher.Point(
                number(row, "cell_id"),
                CompareStore.side(
                        row,
                        subject == ComparisonDimension.RUN ? rest + "|" + text(row, "jdk") : rest,
                        side(subject, row),
                        text(row, "jdk"),
                        null));
    }

    private static String side(ComparisonDimension subject, Readable row) {
        return switch (subject) {
            case JDK -> text(row, "jdk");
            case SERVER -> text(row, "server") + "/" + text(row, "variant");
            case COLLECTOR -> text(row, "collector");
            case LIMITS -> ComparisonDimension.limits(text(row, "series_limits"));
            case MACHINE -> text(row, "class_hash");
            case RUN -> text(row, "run");
        };
    }
}
