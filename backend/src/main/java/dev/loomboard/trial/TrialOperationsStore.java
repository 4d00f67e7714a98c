package dev.loomboard.trial;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.measurement.MixOperation;
import dev.loomboard.rollup.OperationNumbers;
import dev.loomboard.rollup.OperationSql;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** Reads the operations of a mix in one step of a trial. */
@Repository
class TrialOperationsStore {

    private final DatabaseClient database;

    TrialOperationsStore(DatabaseClient database) {
        this.database = database;
    }

    /** By external id, in the order of their names; empty also when the workload is no mix. Plan: trial_external_id_uq, step_operation_pk. */
    Mono<List<OperationNumbers>> of(String trial, int step, Caller caller) {
        return VisibleSql.query(database, caller, "select " + OperationSql.COLUMNS + """
                          from trial t join run r using (run_id) join step_operation o using (trial_id)
                         where t.external_id = :trial and o.step = :step and visible(r)
                         order by o.operation limit :most
                        """)
                .bind("trial", trial)
                .bind("step", step)
                .bind("most", MixOperation.MOST)
                .map(OperationSql::read)
                .all()
                .collectList();
    }
}
