package dev.loomboard.leaderboard;

import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;

import dev.loomboard.cell.RetractedSql;
import dev.loomboard.cell.ScenarioSql;
import dev.loomboard.cell.Standing;
import dev.loomboard.cell.Version;
import dev.loomboard.cell.Visibility;
import dev.loomboard.cell.WireName;
import dev.loomboard.stats.Ranks;
import io.r2dbc.postgresql.codec.Json;
import io.r2dbc.spi.Readable;
import java.util.List;
import java.util.Objects;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Ranks as they are stored, a board at a time. All of it is called within one transaction. */
@Repository
public class RankStore {

    private static final int MOST_BOARDS = 10_000;

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
                        select e.leaderboard_entry_id, e.cell_id, e.standing, e.headline, p.trial_values
                          from (select e.*, row_number() over (partition by e.standing order by e.measured_at desc, e.cell_id desc) as age
                                  from leaderboard_entry e
                                 where %s and e.standing in ('ranked', 'provisional') and e.headline is not null and %s) e
                          join series s on s.external_id = e.metrics -> e.headline ->> 'series'
                          join point p on p.cell_id = e.cell_id and p.series_id = s.series_id
                         where e.age <= :most and p.eligible and cardinality(p.trial_values) >= :least
                         order by e.cell_id
                        """.formatted(
                        OF_BOARD, RetractedSql.none("e.server", "e.server_digest", "e.workload", "e.scenario_key")))
                .bind("most", Ranks.MOST)
                .bind("least", Ranks.TRIALS_TO_APPEAR)
                .map(RankStore::candidate)
                .all();
    }

    private static Ranking.Candidate candidate(Readable row) {
        return new Ranking.Candidate(
                number(row, "leaderboard_entry_id"),
                number(row, "cell_id"),
                WireName.of(Standing.class, text(row, "standing")),
                text(row, "headline"),
                List.of(Objects.requireNonNull(row.get("trial_values", Double[].class), "trial_values")));
    }

    /** Replaces the ranks of a board. What stays the same is not written: whoever only checks then waits for nobody. */
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
                        insert into leaderboard_rank (leaderboard_entry_id, best, worst, entries, nearest)
                        select n.entry, n.best, n.worst, n.entries, n.nearest
                          from jsonb_to_recordset(:ranked) as n (entry bigint, best int, worst int, entries int, nearest bigint[])
                          left join leaderboard_rank r on r.leaderboard_entry_id = n.entry
                         where (r.best, r.worst, r.entries, r.nearest) is distinct from (n.best, n.worst, n.entries, n.nearest)
                        on conflict on constraint leaderboard_rank_pk do update
                           set best = excluded.best, worst = excluded.worst, entries = excluded.entries, nearest = excluded.nearest
                        """)
                .bind("ranked", Json.of(json.writeValueAsString(ranked)))
                .then();
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
