package dev.loomboard.runpages;

import static dev.loomboard.kernel.Rows.json;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.textOrNull;

import dev.loomboard.cell.RunState;
import dev.loomboard.cell.TrialKind;
import dev.loomboard.cell.TrialState;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kernel.WireName;
import dev.loomboard.run.Progress;
import dev.loomboard.web.Urls;
import io.r2dbc.spi.Readable;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Reads how far runs are. What a caller may not see is not found. */
@Repository
class RunStatusStore {

    private static final TypeReference<List<String>> NOTICES = new TypeReference<>() {};

    /**
     * A trial counts as ended whatever its outcome; one that an earlier lease left behind does not, because it is made
     * again. By trial_run_ix and the runs' unique id.
     */
    private static final String SELECT = """
            select r.run_id, r.external_id, r.title, x.slug as matrix, m.slug as machine, r.state, r.failure, r.notices,
                   r.created_at, r.started_at, r.finished_at, r.progress, r.screened_series, r.screened_rises,
                   (select slug from jdk_build b where b.jdk_build_id = r.control_build_id) as control,
                   (select count(*) from trial t
                     where t.run_id = r.run_id and not t.late and not t.cut_off
                       and (t.state in ('done', 'failed') or (t.state = 'aborted' and t.fencing = r.fencing))) as done,
                   (select sum(coalesce(c.scored, (r.spec #>> '{trials,scored}')::int) + (r.spec #>> '{trials,diagnostic}')::int)
                      from cell c where c.run_id = r.run_id)
                     + (select coalesce(sum(cardinality(b.cells)), 0) from block_repeat b where b.run_id = r.run_id) as total
              from run r join matrix x using (matrix_id) join machine m using (machine_id)
             where visible(r)
            """;

    private final DatabaseClient database;
    private final JsonMapper json;

    RunStatusStore(DatabaseClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    private record Keyed(long key, RunStatus.Run run) {}

    Mono<RunStatus> find(Caller caller, String id) {
        return VisibleSql.query(database, caller, SELECT + " and r.external_id = :id")
                .bind("id", id)
                .map(this::status)
                .one()
                .flatMap(this::withTrials);
    }

    /** Newest first; {@code matrix} null: of any. */
    Flux<RunStatus> newest(Caller caller, String machine, @Nullable String matrix, int limit) {
        return VisibleSql.query(database, caller, SELECT + """
                         and m.slug = :machine and (:matrix = '' or x.slug = :matrix)
                         order by r.created_at desc, r.run_id desc limit :limit
                        """)
                .bind("machine", machine)
                .bind("matrix", matrix == null ? "" : matrix)
                .bind("limit", limit)
                .map(this::status)
                .all()
                .collectList() // gives its connection back, before each run asks for one
                .flatMapMany(Flux::fromIterable)
                .concatMap(this::withTrials);
    }

    private Mono<RunStatus> withTrials(Keyed run) {
        return trials(run.key()).collectList().map(trials -> new RunStatus(run.run(), trials));
    }

    /** Those of the newest lease, and all that were made before it. */
    private Flux<RunStatus.Trial> trials(long run) {
        return database.sql("""
                        select t.external_id, t.kind, t.state, t.phase, t.validity, t.reason, c.server, c.variant,
                               c.workload, b.slug as jdk
                          from trial t join run r using (run_id) join cell c using (cell_id)
                          join jdk_build b using (jdk_build_id)
                         where t.run_id = :run
                           and (t.fencing = r.fencing or t.state in ('done', 'failed') or t.started_at is not null)
                         order by t.position, t.fencing limit 20000
                        """).bind("run", run).map(RunStatusStore::trial).all();
    }

    private Keyed status(Readable row) {
        Progress progress = json.readValue(json(row, "progress"), Progress.class);
        RunState state = WireName.of(RunState.class, text(row, "state"));
        String id = text(row, "external_id");
        return new Keyed(
                number(row, "run_id"),
                new RunStatus.Run(
                        id,
                        Urls.run(id),
                        text(row, "title"),
                        new RunStatus.Place(text(row, "matrix"), text(row, "machine")),
                        state,
                        textOrNull(row, "failure"),
                        json.readValue(json(row, "notices"), NOTICES),
                        RunPageStore.times(row),
                        state.isOver() ? null : progress.expectedEnd(),
                        textOrNull(row, "control"),
                        screen(row),
                        new RunStatus.Trials(number(row, "done"), number(row, "total"))));
    }

    private static RunStatus.@Nullable Screen screen(Readable row) {
        Integer series = row.get("screened_series", Integer.class);
        Integer rises = row.get("screened_rises", Integer.class);
        return series == null || rises == null ? null : new RunStatus.Screen(series, rises);
    }

    private static RunStatus.Trial trial(Readable row) {
        String id = text(row, "external_id");
        return new RunStatus.Trial(
                id,
                Urls.trial(id),
                TrialKind.of(text(row, "kind")),
                WireName.of(TrialState.class, text(row, "state")),
                RunPageStore.phase(row),
                RunPageStore.validity(row),
                textOrNull(row, "reason"),
                text(row, "server"),
                text(row, "variant"),
                text(row, "workload"),
                text(row, "jdk"));
    }
}
