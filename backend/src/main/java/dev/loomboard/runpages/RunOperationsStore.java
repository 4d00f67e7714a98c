package dev.loomboard.runpages;

import static dev.loomboard.kernel.Rows.text;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import dev.loomboard.cell.CellSql;
import dev.loomboard.rollup.OperationNumbers;
import dev.loomboard.rollup.OperationSql;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** Reads the operations of a run's mixes, of cells whose trials have one step. */
@Repository
class RunOperationsStore {

    private static final int MOST_ROWS = 50_000;

    private final DatabaseClient database;

    RunOperationsStore(DatabaseClient database) {
        this.database = database;
    }

    /**
     * @param pilot scored trials of a cell whose spread decided how many there are; null: nothing did
     * @param byTrial by external id; trials without operations are absent
     */
    record Found(@Nullable Integer pilot, Map<String, List<OperationNumbers>> byTrial) {}

    private record Row(String trial, @Nullable Integer pilot, OperationNumbers operation) {}

    /** Of scored trials that are done. Plan: trial_run_ix, cell_pk, step_operation_pk. */
    Mono<Found> of(long run) {
        return database.sql("select t.external_id as trial, " + CellSql.PILOT + ", " + OperationSql.COLUMNS + """
                          from trial t join run r using (run_id) join cell c using (cell_id)
                               join step_operation o on o.trial_id = t.trial_id and o.step = 0
                         where t.run_id = :run and t.kind = 'scored' and t.state = 'done'
                           and c.load ->> 'profile' in ('constant', 'poisson', 'closed')
                         order by t.trial_id, o.operation limit :most
                        """)
                .bind("run", run)
                .bind("most", MOST_ROWS)
                .map(row -> new Row(text(row, "trial"), row.get("pilot", Integer.class), OperationSql.read(row)))
                .all()
                .collectList()
                .map(RunOperationsStore::found);
    }

    private static Found found(List<Row> rows) {
        return new Found(
                rows.isEmpty() ? null : rows.getFirst().pilot(),
                rows.stream().collect(groupingBy(Row::trial, mapping(Row::operation, toList()))));
    }
}
