package dev.loomboard.plan;

import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.textOrNull;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.cell.TrialState;
import dev.loomboard.kernel.WireName;
import dev.loomboard.measurement.Validity;
import io.r2dbc.postgresql.codec.Json;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** The blocks that runs make again. Called under the run's lock, as {@link dev.loomboard.run.RunStore}. */
@Repository
public class BlockRepeatStore {

    private final DatabaseClient database;
    private final JsonMapper json;

    BlockRepeatStore(DatabaseClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    /** A trial by its cell's internal key and its number. */
    public record Place(long cell, int ordinal) {}

    /**
     * A block that is to be made again.
     *
     * @param cells internal keys, in the order of the matrix
     */
    public record NewRepeat(int ordinal, List<Long> cells, String reason) {}

    /** The newest attempt at each scored trial that counts. Plan: trial_run_ix. */
    public Mono<Map<Place, SpoiltBlocks.Attempt>> attempts(long run) {
        return database.sql("""
                        select distinct on (cell_id, ordinal) cell_id, ordinal, fencing, state, validity, reason from trial
                         where run_id = :run and kind = 'scored' and not late and not cut_off
                         order by cell_id, ordinal, fencing desc, trial_id desc
                        """)
                .bind("run", run)
                .map(row -> Map.entry(
                        new Place(number(row, "cell_id"), whole(row, "ordinal")),
                        new SpoiltBlocks.Attempt(
                                WireName.of(TrialState.class, text(row, "state")),
                                WireName.orNull(Validity.class, textOrNull(row, "validity")),
                                textOrNull(row, "reason"),
                                number(row, "fencing"))))
                .all()
                .collectMap(Map.Entry::getKey, Map.Entry::getValue);
    }

    /** The trials of blocks that were asked for before. */
    public Mono<Set<Place>> repeated(long run) {
        return database.sql("select unnest(cells) as cell, ordinal from block_repeat where run_id = :run")
                .bind("run", run)
                .map(row -> new Place(number(row, "cell"), whole(row, "ordinal")))
                .all()
                .collect(Collectors.toSet());
    }

    /** @param fencing of the newest lease */
    public Mono<Void> add(long run, long fencing, List<NewRepeat> repeats) {
        return database.sql("""
                        insert into block_repeat (run_id, ordinal, cells, fencing, reason)
                        select :run, r.ordinal, r.cells, :fencing, r.reason
                          from jsonb_to_recordset(:repeats) as r(ordinal int, cells bigint[], reason text)
                        """)
                .bind("run", run)
                .bind("fencing", fencing)
                .bind("repeats", Json.of(json.writeValueAsString(repeats)))
                .then();
    }

    /**
     * Takes out what there is of repeats that are not whole: then the attempts before them count again. Gives the internal keys
     * of these trials. Plan: block_repeat_once_uq, trial_cell_ix.
     */
    public Mono<List<Long>> cutOff(long run) {
        return database.sql("""
                        update trial t set cut_off = true
                          from block_repeat b
                         where b.run_id = :run and t.cell_id = any(b.cells) and t.ordinal = b.ordinal and t.kind = 'scored'
                           and t.fencing > b.fencing and not t.cut_off
                           and cardinality(b.cells) > (
                             select count(distinct n.cell_id) from trial n
                              where n.cell_id = any(b.cells) and n.ordinal = b.ordinal and n.kind = 'scored'
                                and n.fencing > b.fencing and n.state in ('done', 'failed') and not n.late and not n.cut_off)
                        returning t.trial_id
                        """)
                .bind("run", run)
                .map(row -> Objects.requireNonNull(row.get("trial_id", Long.class)))
                .all()
                .collectList();
    }
}
