package dev.loomboard.ranking;

import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;

import dev.loomboard.cell.AdmittedSql;
import dev.loomboard.cell.Standing;
import dev.loomboard.cell.Visibility;
import dev.loomboard.kernel.WireName;
import dev.loomboard.retracted.RetractedSql;
import dev.loomboard.retracted.Version;
import dev.loomboard.scenario.ScenarioSql;
import dev.loomboard.stats.Ranks;
import dev.loomboard.stats.RunSpread;
import io.r2dbc.postgresql.codec.Json;
import io.r2dbc.spi.Readable;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Ranks as they are stored, a board at a time. All of it is called within one transaction. */
@Repository
public class RankStore {

    private static final int MOST_BOARDS = 10_000;
    /** Of a series, the newest. */
    private static final int MOST_REPEATS = 50;

    private static final String OF_BOARD = """
             e.visibility = :visibility and e.scenario_key = :scenario and e.class_hash = :class
              and e.protocol = :protocol and (e.visibility = 'public' or e.workspace_id = :workspace)
            """;

    private final DatabaseClient database;
    private final JsonMapper json;

    public RankStore(DatabaseClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    /** Until the transaction ends nobody else ranks the board; who waited sees what was committed meanwhile. */
    Mono<Void> lock(BoardKey board) {
        return database.sql("select pg_advisory_xact_lock(hashtextextended(:board, 0))")
                .bind("board", "rank " + board)
                .fetch()
                .first()
                .then();
    }

    /**
     * Entries that may be ranked, of each standing the newest. Plan: leaderboard_entry_scenario_ix, then per entry
     * series_external_id_uq and point_cell_uq.
     */
    Flux<Ranking.Candidate> candidates(BoardKey board) {
        return bound(board, """
                        select e.leaderboard_entry_id, e.cell_id, e.machine_id, e.standing, e.headline, p.trial_values
                          from (select e.*, row_number() over (partition by e.standing order by e.measured_at desc, e.cell_id desc) as age
                                  from leaderboard_entry e
                                 where %s and e.standing in ('ranked', 'provisional') and e.headline is not null and %s and %s) e
                          join series s on s.external_id = e.metrics -> e.headline ->> 'series'
                          join point p on p.cell_id = e.cell_id and p.series_id = s.series_id
                         where e.age <= :most and p.eligible and cardinality(p.trial_values) >= :least
                         order by e.cell_id
                        """.formatted(
                                OF_BOARD,
                                RetractedSql.none(new RetractedSql.Result(
                                        "e.server",
                                        "e.server_digest",
                                        "e.workload",
                                        "e.scenario_key",
                                        "e.machine_id",
                                        "e.run_id")),
                                AdmittedSql.admitted("e")))
                .bind("most", Ranks.MOST)
                .bind("least", Ranks.TRIALS_TO_APPEAR)
                .map(RankStore::candidate)
                .all();
    }

    private static Ranking.Candidate candidate(Readable row) {
        return new Ranking.Candidate(
                number(row, "leaderboard_entry_id"),
                number(row, "cell_id"),
                number(row, "machine_id"),
                WireName.of(Standing.class, text(row, "standing")),
                text(row, "headline"),
                values(row));
    }

    private static List<Double> values(Readable row) {
        return List.of(Objects.requireNonNull(row.get("trial_values", Double[].class), "trial_values"));
    }

    /** @param cell the same for what is the same cell, build, server and host */
    private record Repeat(long machine, long cell, long build, RunSpread.Measured measured) {}

    /**
     * How much the scenario's results differ from run to run, by machine. Who may see the board may see the points; reruns of
     * a suspect were chosen by what came of them. That a version was retracted says nothing of its machine, but a run may. Plan:
     * series_scenario_ix, point_series_measured_ix.
     */
    Mono<Map<Long, RunSpread>> spreads(BoardKey board, List<Ranking.Candidate> candidates) {
        if (candidates.isEmpty()) {
            return Mono.just(Map.of());
        }
        return database.sql("""
                        select p.machine_id, p.jdk_build_id, p.run_id, p.trial_values,
                               dense_rank() over (order by p.machine_id, p.series_id, p.jdk_build_id, p.server_digest, p.fingerprint_hash) as same
                          from (select s.machine_id, p.*
                                  from series s
                                 cross join lateral (select p.* from point p where p.series_id = s.series_id and p.eligible
                                                        and p.standing <> 'unranked'
                                                      order by p.measured_at desc, p.point_id desc limit :points) p
                                 where s.machine_id = any(:machines) and s.metric = :metric and s.scenario_key = :scenario) p
                          join run r using (run_id)
                         where not r.follow_up and (r.visibility = 'public' or r.workspace_id = :workspace)
                           and not\s""" + RetractedSql.run("p.run_id") + """

                         order by same, p.measured_at, p.point_id
                        """)
                .bind("points", MOST_REPEATS)
                .bind(
                        "machines",
                        candidates.stream()
                                .map(Ranking.Candidate::machine)
                                .distinct()
                                .toArray(Long[]::new))
                .bind("metric", candidates.getFirst().metric())
                .bind("scenario", board.scenarioKey())
                .bind("workspace", board.workspace())
                .map(row -> new Repeat(
                        number(row, "machine_id"),
                        number(row, "same"),
                        number(row, "jdk_build_id"),
                        new RunSpread.Measured(number(row, "run_id"), values(row))))
                .all()
                .collectList()
                .map(RankStore::spreads);
    }

    private static Map<Long, RunSpread> spreads(List<Repeat> points) {
        Map<Long, Map<Long, List<Repeat>>> cells = points.stream()
                .collect(Collectors.groupingBy(
                        Repeat::machine, Collectors.groupingBy(Repeat::cell, LinkedHashMap::new, Collectors.toList())));
        Map<Long, RunSpread> spreads = new HashMap<>();
        cells.forEach((machine, of) -> spreads.put(
                machine,
                RunSpread.of(of.values().stream()
                        .map(same -> new RunSpread.Repeats(
                                same.getFirst().build(),
                                same.stream().map(Repeat::measured).toList()))
                        .toList())));
        return spreads;
    }

    /**
     * The boards of the same scenario on which a machine of this one has entries, itself included: what is learnt of a
     * machine's spread concerns all of them. Plan: leaderboard_entry_scenario_ix.
     */
    Flux<BoardKey> besides(BoardKey board) {
        return bound(board, """
                        select distinct o.workspace_id, o.visibility, o.scenario_key, o.class_hash, o.protocol
                          from leaderboard_entry e
                          join leaderboard_entry o on o.scenario_key = e.scenario_key and o.machine_id = e.machine_id
                         where %s limit :most
                        """.formatted(OF_BOARD))
                .bind("most", MOST_BOARDS)
                .map(RankStore::board)
                .all();
    }

    /** Replaces the ranks of a board. Unchanged ranks are not written, so a check waits for no lock. */
    Mono<Void> put(BoardKey board, List<Ranking.Ranked> ranked) {
        return gone(board, ranked).then(changed(ranked));
    }

    private Mono<Void> gone(BoardKey board, List<Ranking.Ranked> ranked) {
        return bound(board, """
                        delete from leaderboard_rank r using leaderboard_entry e
                         where e.leaderboard_entry_id = r.leaderboard_entry_id and %s
                           and not e.leaderboard_entry_id = any(:ranked)
                        """.formatted(OF_BOARD))
                .bind("ranked", ranked.stream().map(Ranking.Ranked::entry).toArray(Long[]::new))
                .then();
    }

    private Mono<Void> changed(List<Ranking.Ranked> ranked) {
        return database.sql("""
                        insert into leaderboard_rank (leaderboard_entry_id, best, worst, entries, nearest, run_spread, spread_assumed)
                        select n.entry, n.best, n.worst, n.entries, n.nearest, n."runSpread", n."spreadAssumed"
                          from jsonb_to_recordset(:ranked) as n (entry bigint, best int, worst int, entries int, nearest bigint[],
                                                                 "runSpread" float8, "spreadAssumed" boolean)
                          left join leaderboard_rank r on r.leaderboard_entry_id = n.entry
                         where (r.best, r.worst, r.entries, r.nearest, r.run_spread, r.spread_assumed)
                               is distinct from (n.best, n.worst, n.entries, n.nearest, n."runSpread", n."spreadAssumed")
                        on conflict on constraint leaderboard_rank_pk do update
                           set best = excluded.best, worst = excluded.worst, entries = excluded.entries, nearest = excluded.nearest,
                               run_spread = excluded.run_spread, spread_assumed = excluded.spread_assumed
                        """)
                .bind("ranked", Json.of(json.writeValueAsString(ranked)))
                .then();
    }

    /** Boards of which not all ties are stored, as was once so. */
    Flux<BoardKey> incomplete() {
        return database.sql("""
                        select distinct e.workspace_id, e.visibility, e.scenario_key, e.class_hash, e.protocol
                          from leaderboard_rank k join leaderboard_entry e using (leaderboard_entry_id)
                         where cardinality(k.nearest) < k.worst - k.best limit :most
                        """).bind("most", MOST_BOARDS).map(RankStore::board).all();
    }

    /** Those that the entries of a machine stand on now. Plan: leaderboard_entry_machine_ix. */
    Flux<BoardKey> ofMachine(long machine) {
        return database.sql("""
                        select distinct workspace_id, visibility, scenario_key, class_hash, protocol
                          from leaderboard_entry where machine_id = :machine limit :most
                        """)
                .bind("machine", machine)
                .bind("most", MOST_BOARDS)
                .map(RankStore::board)
                .all();
    }

    /**
     * Those that entries of a version stand on. The entries are locked, so that none moves to another board meanwhile. Plan:
     * one pass over the entries, which do not grow with time.
     */
    Flux<BoardKey> ofVersion(Version version) {
        return database.sql("""
                        select distinct workspace_id, visibility, scenario_key, class_hash, protocol
                          from (select * from leaderboard_entry
                                 where :kind = 'server' and server = :name and server_digest = :version
                                    or :kind = 'machine' and machine_id = (select m.machine_id from machine m where m.external_id = :version)
                                    or :kind = 'run' and run_id = (select r.run_id from run r where r.external_id = :version)
                                    or :kind = 'workload' and workload = :name
                                       and """ + ScenarioSql.workloadVersion("scenario_key") + """
                                         = :version
                                 order by leaderboard_entry_id for no key update) e
                         limit :most
                        """)
                .bind("kind", version.kind().wire())
                .bind("name", version.name())
                .bind("version", version.version())
                .bind("most", MOST_BOARDS)
                .map(RankStore::board)
                .all();
    }

    private static BoardKey board(Readable row) {
        return BoardKey.of(
                number(row, "workspace_id"),
                WireName.of(Visibility.class, text(row, "visibility")),
                text(row, "scenario_key"),
                text(row, "class_hash"),
                text(row, "protocol"));
    }

    private DatabaseClient.GenericExecuteSpec bound(BoardKey board, String sql) {
        return database.sql(sql)
                .bind("visibility", (board.open() ? Visibility.PUBLIC : Visibility.PRIVATE).wire())
                .bind("scenario", board.scenarioKey())
                .bind("class", board.classHash())
                .bind("protocol", board.protocol())
                .bind("workspace", board.workspace());
    }
}
