package dev.loomboard.verdict;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.json;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.textOrNull;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.cell.CellSql;
import dev.loomboard.cell.TrialState;
import dev.loomboard.kernel.WireName;
import dev.loomboard.measurement.Steadiness;
import dev.loomboard.measurement.Validity;
import dev.loomboard.stats.Methodology;
import dev.loomboard.stats.paired.Verdict;
import io.r2dbc.postgresql.codec.Json;
import io.r2dbc.spi.Readable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Keeps the families of runs, one per axis. All of it is called within the transaction that creates or ends the run. */
@Repository
public class VerdictStore {

    private static final TypeReference<Map<String, RunTrial.Value>> METRICS = new TypeReference<>() {};
    private static final int MOST_TRIALS = 100_000;

    /** What {@link #outcome} reads, of a row of {@code comparison} as {@code v}. */
    public static final String OUTCOME = """
             v.blocks, v.suspect_blocks, v.baseline, v.candidate, v.effect, v.low, v.high, v.degrees, v.p, v.adjusted_p, v.verdict, v.margin,
             v.decidable, v.further_blocks, v.further_blocks_most, v.findable, v.findable_low, v.findable_high, v.welch_p, v.mann_whitney_p, v.disagreement, v.baseline_excluded, v.baseline_trials,
             v.candidate_excluded, v.candidate_trials, v.depends_on_lost, v.baseline_failed, v.candidate_failed, v.failed_p,
             v.baseline_modes, v.candidate_modes, v.look, v.cut_short_of, v.reason as no_verdict
            """;

    /** Plan: run_pk, comparison_run_uq. */
    public static final String TESTS = tests("and r.state in ('done', 'failed', 'cancelled')");

    private static String tests(String where) {
        return """
            select v.comparison_id, v.axis, v.baseline_cell_id, v.candidate_cell_id, v.metric, a.scenario_key,
                   least(coalesce(a.scored, s.scored), coalesce(b.scored, s.scored)) as planned
              from comparison v join run r using (run_id)
              join cell a on a.cell_id = v.baseline_cell_id join cell b on b.cell_id = v.candidate_cell_id
             cross join lateral (select (r.spec #>> '{trials,scored}')::int as scored) s
             where v.run_id = :run
            """ + where + " order by v.ordinal";
    }

    /**
     * Of a look at a rerun with the trials of the looks before, as if the same cells of this run had made them, numbered on from
     * look to look. Plan: run_pk, cell_ordinal_uq, trial_cell_ix, trial_metric_pk.
     */
    public static final String TRIALS = """
            with recursive part as (
              select r.run_id, r.follows_run_id, coalesce(r.look, 1) as look from run r where r.run_id = :run
              union all
              select b.run_id, b.follows_run_id, coalesce(b.look, 1) from part p join run b on b.run_id = p.follows_run_id),
            mine as (
              select o.cell_id as of_cell, m.cell_id, (p.look - 1) * """ + RunTrial.TRIALS_OF_A_LOOK + """
                 as numbered
                from part p join cell o on o.run_id = p.run_id
                join cell m on m.run_id = :run
                     and (m.cell_id = o.cell_id or m.run_id <> o.run_id
                          and (m.server, m.variant, m.scenario_key, m.collector, m.jvm_options, m.limits, m.jdk_build_id)
                            = (o.server, o.variant, o.scenario_key, o.collector, o.jvm_options, o.limits, o.jdk_build_id)))
            select distinct on (m.cell_id, m.numbered + t.ordinal)
                   m.cell_id, m.numbered + t.ordinal as ordinal, t.fencing, t.state, t.validity, t.end_facts -> 'steady' ->> 'verdict' as steady,
                   t.server_digest, t.fingerprint_hash,
                   (select coalesce(jsonb_object_agg(x.metric, jsonb_build_object(
                             'value', x.value, 'eligible', x.eligible, 'reason', x.reason)), '{}')
                      from trial_metric x where x.trial_id = t.trial_id and x.metric = any(:metrics)) as metrics
              from mine m join trial t on t.cell_id = m.of_cell
             where t.kind = 'scored' and not t.late and not t.cut_off
             order by m.cell_id, m.numbered + t.ordinal, t.fencing desc, t.trial_id desc
             limit :most
            """;

    private static final String RESULTS = """
            update comparison v
               set methodology = :methodology, blocks = u.blocks, suspect_blocks = u."suspectBlocks", baseline = u.baseline, candidate = u.candidate,
                   effect = u.effect, low = u.low, high = u.high, degrees = u.degrees, p = u.p, adjusted_p = u."adjustedP",
                   verdict = u.verdict, margin = u.margin, decidable = u.decidable,
                   further_blocks = u."furtherBlocks", further_blocks_most = u."furtherBlocksMost",
                   findable = u.findable, findable_low = u."findableLow", findable_high = u."findableHigh", welch_p = u."welchP", mann_whitney_p = u."mannWhitneyP",
                   disagreement = u.disagreement,
                   baseline_excluded = u."excludedBaseline", baseline_trials = u."trialsBaseline",
                   candidate_excluded = u."excludedCandidate", candidate_trials = u."trialsCandidate",
                   depends_on_lost = u."dependsOnLost", baseline_failed = u."failedBaseline",
                   candidate_failed = u."failedCandidate", failed_p = u."failedP",
                   baseline_modes = u."modesBaseline", candidate_modes = u."modesCandidate",
                   look = u.look, cut_short_of = u."cutShortOf", reason = u.reason
              from jsonb_to_recordset(:results) as r (id bigint, outcome jsonb)
             cross join lateral jsonb_to_record(r.outcome) as u
                   (blocks int, "suspectBlocks" int, baseline float8, candidate float8, effect float8, low float8, high float8, degrees int, p float8,
                    "adjustedP" float8, verdict text, margin float8, decidable float8, "furtherBlocks" int, "furtherBlocksMost" int, findable float8, "findableLow" float8, "findableHigh" float8,
                    "welchP" float8, "mannWhitneyP" float8, disagreement text, "excludedBaseline" int,
                    "trialsBaseline" int, "excludedCandidate" int, "trialsCandidate" int, "dependsOnLost" int,
                    "failedBaseline" int, "failedCandidate" int, "failedP" float8, "modesBaseline" text,
                    "modesCandidate" text, look int, "cutShortOf" int, reason text)
             where v.comparison_id = r.id
            """;

    private final DatabaseClient database;
    private final JsonMapper json;

    public VerdictStore(DatabaseClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    record Result(long id, Outcome outcome) {}

    /** The families of a run whose cells have been added. */
    public Mono<Void> declare(long run, List<DeclaredTest> tests) {
        if (tests.isEmpty()) {
            return Mono.empty();
        }
        return database.sql("""
                        insert into comparison (workspace_id, run_id, ordinal, axis, baseline_cell_id, candidate_cell_id, metric,
                                                family_size, methodology)
                        select a.workspace_id, :run, (u.nr - 1)::int, u.axis, a.cell_id, b.cell_id, u.metric,
                               count(*) over (partition by u.axis, u.metric = 'error_ratio'), :methodology
                          from unnest(:axes::text[], :baselines::int[], :candidates::int[], :metrics::text[]) with ordinality
                               as u (axis, baseline, candidate, metric, nr)
                          join cell a on a.run_id = :run and a.ordinal = u.baseline
                          join cell b on b.run_id = :run and b.ordinal = u.candidate
                        """)
                .bind("run", run)
                .bind("methodology", Methodology.VERSION)
                .bind("axes", tests.stream().map(test -> test.axis().wire()).toArray(String[]::new))
                .bind("baselines", tests.stream().map(DeclaredTest::baseline).toArray(Integer[]::new))
                .bind("candidates", tests.stream().map(DeclaredTest::candidate).toArray(Integer[]::new))
                .bind("metrics", tests.stream().map(DeclaredTest::metric).toArray(String[]::new))
                .then();
    }

    /** In the order in which they were declared; none while the run goes on. */
    Flux<Judge.Test> tests(long run) {
        return tests(TESTS, run);
    }

    /** The same, whether or not the run goes on. */
    Flux<Judge.Test> declared(long run) {
        return tests(tests(""), run);
    }

    private Flux<Judge.Test> tests(String sql, long run) {
        return database.sql(sql)
                .bind("run", run)
                .map(row -> new Judge.Test(
                        number(row, "comparison_id"),
                        TestDimension.of(text(row, "axis")),
                        number(row, "baseline_cell_id"),
                        number(row, "candidate_cell_id"),
                        text(row, "metric"),
                        text(row, "scenario_key"),
                        row.get("planned", Integer.class)))
                .all();
    }

    /** Plan: run_pk. */
    Mono<RunLayout> layout(long run) {
        return database.sql("""
                        select (r.spec #>> '{trials,scored}')::int as planned, r.state <> 'done' as cut_short, r.look, """ + CellSql.PILOT + """
                               from run r where r.run_id = :run
                        """)
                .bind("run", run)
                .map(row -> new RunLayout(
                        row.get("planned", Integer.class),
                        flag(row, "cut_short"),
                        row.get("look", Integer.class),
                        row.get("pilot", Integer.class)))
                .one();
    }

    /** With the share of their hits that failed beside the metrics. The newest of each scored trial: a later lease plans unfinished trials again, and whole blocks with an unusable trial. */
    Flux<RunTrial> trials(long run, List<String> metrics) {
        return database.sql(TRIALS)
                .bind("run", run)
                .bind(
                        "metrics",
                        Stream.concat(metrics.stream(), Stream.of(DeclaredTest.FAILED))
                                .toArray(String[]::new))
                .bind("most", MOST_TRIALS)
                .map(row -> trial(row, json.readValue(json(row, "metrics"), METRICS)))
                .all();
    }

    /** Replaces what was there. Numbers go as JSON, which a double survives exactly. */
    Mono<Void> put(List<Judge.Test> tests, List<Outcome> outcomes) {
        List<Result> results = new ArrayList<>();
        for (int i = 0; i < tests.size(); i++) {
            results.add(new Result(tests.get(i).id(), outcomes.get(i)));
        }
        return database.sql(RESULTS)
                .bind("methodology", Methodology.VERSION)
                .bind("results", Json.of(json.writeValueAsString(results)))
                .then();
    }

    /** Of a row with the columns of {@link #TRIALS}, but for its metrics. */
    public static RunTrial trial(Readable row, Map<String, RunTrial.Value> metrics) {
        return new RunTrial(
                number(row, "cell_id"),
                whole(row, "ordinal"),
                number(row, "fencing"),
                WireName.of(TrialState.class, text(row, "state")),
                WireName.orNull(Validity.class, textOrNull(row, "validity")),
                WireName.orNull(Steadiness.class, textOrNull(row, "steady")),
                textOrNull(row, "server_digest"),
                textOrNull(row, "fingerprint_hash"),
                metrics);
    }

    /** A test with its family; null: none was declared. */
    public static @Nullable JudgedTest judged(Readable row) {
        Integer size = row.get("family_size", Integer.class);
        return size == null ? null : new JudgedTest(size, text(row, "methodology"), outcome(row));
    }

    /** Of a row with the columns {@link #OUTCOME}; null: not judged. */
    public static @Nullable Outcome outcome(Readable row) {
        Integer blocks = row.get("blocks", Integer.class);
        if (blocks == null) {
            return null;
        }
        String verdict = textOrNull(row, "verdict");
        return new Outcome(
                blocks,
                whole(row, "suspect_blocks"),
                new Outcome.Found(
                        row.get("baseline", Double.class),
                        row.get("candidate", Double.class),
                        row.get("effect", Double.class),
                        row.get("low", Double.class),
                        row.get("high", Double.class),
                        row.get("degrees", Integer.class)),
                new Outcome.Decision(
                        row.get("p", Double.class),
                        row.get("adjusted_p", Double.class),
                        verdict == null ? null : Verdict.of(verdict),
                        row.get("margin", Double.class),
                        row.get("decidable", Double.class),
                        row.get("further_blocks", Integer.class),
                        row.get("further_blocks_most", Integer.class),
                        new Outcome.Findable(
                                row.get("findable", Double.class),
                                row.get("findable_low", Double.class),
                                row.get("findable_high", Double.class))),
                new Outcome.Checks(
                        row.get("welch_p", Double.class),
                        row.get("mann_whitney_p", Double.class),
                        textOrNull(row, "disagreement")),
                new Outcome.Excluded(
                        whole(row, "baseline_excluded"),
                        whole(row, "baseline_trials"),
                        whole(row, "candidate_excluded"),
                        whole(row, "candidate_trials")),
                new Outcome.Lost(
                        row.get("depends_on_lost", Integer.class),
                        row.get("baseline_failed", Integer.class),
                        row.get("candidate_failed", Integer.class),
                        row.get("failed_p", Double.class)),
                textOrNull(row, "baseline_modes"),
                textOrNull(row, "candidate_modes"),
                new Outcome.Looked(row.get("look", Integer.class), row.get("cut_short_of", Integer.class)),
                textOrNull(row, "no_verdict"));
    }
}
