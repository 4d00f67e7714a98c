package dev.loomboard.matching;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.instant;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;

import dev.loomboard.cell.RunState;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kernel.WireName;
import dev.loomboard.verdict.DeclaredTest;
import dev.loomboard.verdict.Outcome;
import dev.loomboard.verdict.VerdictStore;
import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** Reads all runs in which the pairs of a comparison of two builds were to be measured. */
@Repository
class AttemptStore {

    private static final String POINT = """
              left join lateral (select p.server_digest, p.fingerprint_hash from point p where p.cell_id = %s.cell_id limit 1) %s on true
            """;

    /** The number of newest runs of a machine with both builds that are read. */
    static final int MOST_RUNS = 20;

    /**
     * Of each cell those like it on its machine and build, in the newest runs that declared a test of the two builds there.
     * Plan: cell_jdk_build_ix alone for the runs of a build. They are an array, of which the planner expects few: of the subquery it expected
     * 36 times too many, and read run whole. Then cell_external_id_uq, cell_ordinal_uq, primary keys, comparison_cells_uq, point_cell_uq.
     */
    static final String ATTEMPTS = """
            with shared as (
              select x.*, x.spec ->> 'protocol' as protocol
                from (select r.*, row_number() over (partition by r.machine_id order by r.run_id desc) as place from run r
                       where r.run_id = any(array(
                               select c.run_id from cell c
                                where c.jdk_build_id = (select jdk_build_id from jdk_build where slug = (:slugs::text[])[1])
                               intersect
                               select c.run_id from cell c
                                where c.jdk_build_id = (select jdk_build_id from jdk_build where slug = (:slugs::text[])[2])))
                         and visible(r)) x
               where x.place <=\s""" + MOST_RUNS + """
            )
            select n.external_id as of_cell, v.metric, r.run_id, r.follows_run_id, r.external_id as run, r.created_at, r.state, r.follow_up,
                   a.server_digest is not null and b.server_digest is not null as measured,
                   n.server_digest is not distinct from a.server_digest and n.server_digest is not distinct from b.server_digest as same_server,
                   n.fingerprint_hash is not distinct from a.fingerprint_hash
                   and n.fingerprint_hash is not distinct from b.fingerprint_hash as same_host, """ + VerdictStore.OUTCOME + """

              from (select c.*, x.machine_id, x.spec ->> 'protocol' as protocol, p.server_digest, p.fingerprint_hash
                      from cell c join run x on x.run_id = c.run_id
            """ + POINT.formatted("c", "p") + """
                     where c.external_id = any(:cells::text[])) n
              join shared r on r.machine_id = n.machine_id and r.protocol = n.protocol
              join cell o on o.run_id = r.run_id and o.jdk_build_id = n.jdk_build_id and o.workspace_id = n.workspace_id
                   and (o.server, o.variant, o.scenario_key, o.collector, o.jvm_options, o.limits)
                     = (n.server, n.variant, n.scenario_key, n.collector, n.jvm_options, n.limits)
              join comparison v on v.baseline_cell_id = o.cell_id and v.metric = any(:metrics) and v.axis = 'jdk'
              join cell c on c.cell_id = v.candidate_cell_id
              join jdk_build j on j.jdk_build_id = c.jdk_build_id and j.slug = any(:slugs)
            """
            + POINT.formatted("o", "a") + POINT.formatted("c", "b") + """
             order by r.run_id desc, v.ordinal
             limit 20000
            """;

    /** What may be pooled: ratios. */
    private static final String[] METRICS = DeclaredTest.COMPARED.stream()
            .filter(metric -> !metric.equals(DeclaredTest.FAILED))
            .toArray(String[]::new);

    private final DatabaseClient database;

    AttemptStore(DatabaseClient database) {
        this.database = database;
    }

    /** @param cell external id of the newest that is like the baseline of the test */
    private record Test(String cell, String metric) {}

    /**
     * @param outcome null: it was not judged
     * @param otherwise what forbids to pool it; null: nothing
     */
    private record Found(
            Test test,
            long run,
            @Nullable Long follows,
            String name,
            Instant createdAt,
            RunState state,
            boolean rerun,
            @Nullable Outcome outcome,
            @Nullable String otherwise) {

        /**
         * @param later runs whose blocks have those of the looks before
         * @param turned the test was declared the other way round
         */
        private Attempt attempt(Set<Long> later, boolean turned) {
            String why = !state.isOver()
                    ? "it has not ended"
                    : later.contains(run) ? "its blocks are part of the next look" : otherwise;
            Outcome seen = outcome == null || !turned ? outcome : outcome.turned();
            return Attempt.of(name, createdAt, state, rerun, seen, why);
        }
    }

    /** The pairs with the runs that were to measure them; nothing of what is retracted. One query. */
    Mono<Comparison> with(Comparison comparison, Caller caller) {
        String[] cells = comparison.pairs().stream()
                .flatMap(pair ->
                        Stream.of(pair.baseline().cell(), pair.candidate().cell()))
                .distinct()
                .toArray(String[]::new);
        return VisibleSql.query(database, caller, ATTEMPTS)
                .bind("cells", cells)
                .bind("metrics", METRICS)
                .bind("slugs", new String[] {
                    comparison.baseline().slug(), comparison.candidate().slug()
                })
                .map(AttemptStore::found)
                .all()
                .collectMultimap(Found::test)
                .map(found -> comparison.with(comparison.pairs().stream()
                        .map(pair -> pair.retracted() == null ? pair.with(attempts(pair, found)) : pair)
                        .toList()));
    }

    private static @Nullable Attempts attempts(Comparison.Pair pair, Map<Test, Collection<Found>> all) {
        String metric = pair.cell().metric();
        Collection<Found> mine = all.getOrDefault(new Test(pair.baseline().cell(), metric), List.of());
        Collection<Found> turned = all.getOrDefault(new Test(pair.candidate().cell(), metric), List.of());
        Set<Long> earlier = Stream.concat(mine.stream(), turned.stream())
                .filter(found -> found.outcome != null)
                .map(Found::follows)
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
        List<Attempt> runs = new ArrayList<>();
        mine.forEach(found -> runs.add(found.attempt(earlier, false)));
        turned.forEach(found -> runs.add(found.attempt(earlier, true)));
        runs.sort(Comparator.comparing(Attempt::createdAt).thenComparing(Attempt::run));
        return runs.isEmpty() ? null : Attempts.of(runs);
    }

    private static Found found(Readable row) {
        return new Found(
                new Test(text(row, "of_cell"), text(row, "metric")),
                number(row, "run_id"),
                row.get("follows_run_id", Long.class),
                text(row, "run"),
                instant(row, "created_at"),
                WireName.of(RunState.class, text(row, "state")),
                flag(row, "follow_up"),
                VerdictStore.outcome(row),
                otherwise(row));
    }

    private static @Nullable String otherwise(Readable row) {
        if (!flag(row, "measured")) {
            return "a side measured nothing";
        }
        if (!flag(row, "same_server")) {
            return "it ran another build of the server";
        }
        return flag(row, "same_host") ? null : "it ran on a host with another fingerprint";
    }
}
