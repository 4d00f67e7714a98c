package dev.loomboard.bisection;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.instant;
import static dev.loomboard.kernel.Rows.instantOrNull;
import static dev.loomboard.kernel.Rows.json;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.textOrNull;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.cell.Jdk;
import dev.loomboard.cell.JdkSql;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kernel.WireName;
import dev.loomboard.regression.Regression;
import dev.loomboard.stats.Methodology;
import dev.loomboard.stats.bisection.Bisection;
import dev.loomboard.stats.bisection.TwoChanges;
import io.r2dbc.spi.Readable;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** What people are shown of bisections, and what they change of them. {@link BisectionRunStore} is what the job works by. */
@Repository
public class BisectionStore {

    private static final int MOST_BUILDS = 500;
    private static final TypeReference<List<Jdk>> BUILDS = new TypeReference<>() {};
    private static final TypeReference<List<BisectionView.Step>> STEPS = new TypeReference<>() {};

    /**
     * Of one lineage, so that they have an order; builds of one version in the order in which they were first seen, as in the
     * histories. A machine with a JDK provider has those brought again that it had. Plan: primary keys, jdk_build_lineage_ix, machine_jdk_pk.
     */
    public static final String RANGE = """
            select b.jdk_build_id, """ + JdkSql.columns("b", "jdk") + """
                   , coalesce(j.present, false) as present,
                   j.present is false and coalesce(m.doctor -> 'findings' @> '[{"check": "jdk-provider"}]', false) as comes_again
              from change_point cp
              join series s on s.series_id = cp.series_id
              join machine m on m.machine_id = s.machine_id
              join jdk_build g on g.jdk_build_id = cp.good_build_id
              join jdk_build n on n.jdk_build_id = cp.jdk_build_id and n.lineage_hash = g.lineage_hash
              join jdk_build b on b.lineage_hash = g.lineage_hash and b.architecture = g.architecture
                   and b.build_order between g.build_order and n.build_order
                   and (b.build_order, b.jdk_build_id) >= (g.build_order, g.jdk_build_id)
                   and (b.build_order, b.jdk_build_id) <= (n.build_order, n.jdk_build_id)
              left join machine_jdk j on j.machine_id = s.machine_id and j.jdk_build_id = b.jdk_build_id
             where cp.change_point_id = :change
             order by b.build_order, b.jdk_build_id
             limit :most
            """;

    /** As visible as the rerun and all steps: each of them says what another private run measured. Plan: bisection_change_point_ix, bisection_step_ordinal_uq, primary keys. */
    public static final String SHOWN = """
            select b.change_point_id, b.external_id, b.state, b.reason, a.display_name, b.started_at, b.ended_at, b.blocks,
                   b.expected_steps, b.most_steps, b.trial_seconds, b.two_posterior, b.two_first, b.two_second,
                   (select jsonb_agg(jsonb_build_object('slug', j.slug, 'vendor', j.vendor, 'version', j.runtime_version,
                             'feature', j.feature, 'availability', j.availability, 'architecture', j.architecture,
                             'lineageHash', j.lineage_hash) order by u.nr)
                      from unnest(b.builds) with ordinality u (id, nr) join jdk_build j on j.jdk_build_id = u.id) as builds,
                   (select coalesce(jsonb_agg(jsonb_build_object('ordinal', t.ordinal,
                             'build', array_position(b.builds, t.jdk_build_id) - 1, 'run', r.external_id, 'state', t.state,
                             'blocks', t.blocks, 'effect', t.effect, 'low', t.low, 'high', t.high, 'reason', t.reason,
                             'posterior', t.posterior) order by t.ordinal), '[]')
                      from bisection_step t left join run r on r.run_id = t.run_id
                     where t.bisection_id = b.bisection_id) as steps
              from bisection b
              join account a on a.account_id = b.account_id
              join comparison v on v.comparison_id = b.comparison_id
              join run rr on rr.run_id = v.run_id
             where b.change_point_id = any(:changes)
               and visible(b: rr)
               and not exists (select from bisection_step t join run r on r.run_id = t.run_id
                                where t.bisection_id = b.bisection_id and not visible(b: r))
               and not exists (select from bisection n where n.change_point_id = b.change_point_id and n.bisection_id > b.bisection_id)
            """;

    private final DatabaseClient database;
    private final JsonMapper json;

    BisectionStore(DatabaseClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    Mono<BuildRange> range(long change) {
        return database.sql(RANGE)
                .bind("change", change)
                .bind("most", MOST_BUILDS)
                .map(row -> new BuildRange.Build(
                        number(row, "jdk_build_id"), JdkSql.read(row), flag(row, "present"), flag(row, "comes_again")))
                .all()
                .collectList()
                .map(BuildRange::new);
    }

    /** What a scored trial of the rerun took in the mean; empty: not known. Plan: primary keys, trial_cell_ix. */
    Mono<Double> trialSeconds(long change) {
        return database.sql("""
                        select avg(extract(epoch from t.finished_at - t.started_at))::float8 as seconds
                          from change_point cp join comparison v on v.comparison_id = cp.rerun_comparison_id
                          join trial t on t.cell_id in (v.baseline_cell_id, v.candidate_cell_id)
                         where cp.change_point_id = :change and t.kind = 'scored' and t.state = 'done'
                           and t.started_at is not null and t.finished_at is not null
                        having count(*) > 0
                        """)
                .bind("change", change)
                .map(row -> Objects.requireNonNull(row.get("seconds", Double.class)))
                .one();
    }

    /** The newest of each change, as far as the caller may see it. */
    public Flux<BisectionView> shown(List<Long> changes, Caller caller) {
        return VisibleSql.query(database, caller, SHOWN)
                .bind("changes", changes.toArray(Long[]::new))
                .map(this::bisected)
                .all();
    }

    /** Gives the external id; empty: one is under way. */
    Mono<String> add(
            Regression of, Caller.Person person, BuildRange range, BisectionPlan plan, Bisection.Blocks rerun) {
        Bisection.Interval interval = rerun.interval();
        return database.sql("""
                        insert into bisection (workspace_id, change_point_id, comparison_id, account_id, builds, effect, low, high,
                                               effect_blocks, blocks, expected_steps, most_steps, trial_seconds, methodology)
                        select workspace_id, change_point_id, rerun_comparison_id, :account, :builds, :effect, :low, :high,
                               :effectBlocks, :blocks, :expected, :most, :seconds, :methodology
                          from change_point where change_point_id = :change
                        on conflict (change_point_id) where state = 'running' do nothing
                        returning external_id
                        """)
                .bind("account", person.account().value())
                .bind(
                        "builds",
                        range.searched().stream().map(BuildRange.Build::key).toArray(Long[]::new))
                .bind("effect", interval.ratio())
                .bind("low", interval.low())
                .bind("high", interval.high())
                .bind("effectBlocks", rerun.count())
                .bind("blocks", plan.blocks())
                .bind("expected", plan.expectedSteps())
                .bind("most", plan.mostSteps())
                .bind("seconds", Objects.requireNonNull(plan.trialSeconds()))
                .bind("methodology", Methodology.VERSION)
                .bind("change", of.key())
                .map(row -> text(row, "external_id"))
                .one();
    }

    /** Ends one that is under way; gives the external id of the run that it waited for, or an empty text. Empty: none is. */
    Mono<String> cancel(long change) {
        return database.sql("""
                        with ended as (
                          update bisection set state = 'cancelled', reason = 'its owners cancelled it', ended_at = now()
                           where change_point_id = :change and state = 'running' returning bisection_id),
                        step as (
                          update bisection_step t set state = 'invalid', reason = 'the bisection was cancelled', heard_at = now()
                            from ended e where t.bisection_id = e.bisection_id and t.state = 'queued' returning t.run_id)
                        select coalesce((select r.external_id from step join run r using (run_id)), '') as run from ended
                        """)
                .bind("change", change)
                .map(row -> text(row, "run"))
                .one();
    }

    private BisectionView bisected(Readable row) {
        return new BisectionView(
                new BisectionView.Internals(number(row, "change_point_id"), text(row, "display_name"), two(row)),
                text(row, "external_id"),
                WireName.of(BisectionStatus.class, text(row, "state")),
                textOrNull(row, "reason"),
                instant(row, "started_at"),
                instantOrNull(row, "ended_at"),
                json.readValue(json(row, "builds"), BUILDS),
                new BisectionCost(
                        whole(row, "blocks"),
                        whole(row, "expected_steps"),
                        whole(row, "most_steps"),
                        Objects.requireNonNull(row.get("trial_seconds", Double.class))),
                json.readValue(json(row, "steps"), STEPS));
    }

    private static @Nullable TwoChanges two(Readable row) {
        Double posterior = row.get("two_posterior", Double.class);
        Double[] first = row.get("two_first", Double[].class);
        Double[] second = row.get("two_second", Double[].class);
        return posterior == null || first == null || second == null
                ? null
                : new TwoChanges(posterior, List.of(first), List.of(second));
    }
}
