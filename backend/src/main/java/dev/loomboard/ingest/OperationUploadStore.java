package dev.loomboard.ingest;

import static dev.loomboard.ingest.UploadSql.column;
import static dev.loomboard.ingest.UploadSql.counts;
import static dev.loomboard.ingest.UploadSql.times;

import dev.loomboard.measurement.MixOperation;
import dev.loomboard.measurement.Step;
import java.util.List;
import java.util.function.Function;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** What came of the operations of mixes. */
@Repository
class OperationUploadStore {

    private final DatabaseClient database;

    OperationUploadStore(DatabaseClient database) {
        this.database = database;
    }

    /** @param step its ordinal */
    private record OfStep(int step, MixOperation of) {}

    /** Of steps that are stored already. Their metrics are made when the trial has ended. By step_operation_pk. */
    Mono<Void> add(long trial, List<Step> steps, Function<Object, String> json) {
        List<OfStep> rows = steps.stream()
                .flatMap(s -> s.operations().stream().map(o -> new OfStep(s.ordinal(), o)))
                .toList();
        return rows.isEmpty() ? Mono.empty() : insert(trial, rows, json);
    }

    private Mono<Void> insert(long trial, List<OfStep> rows, Function<Object, String> json) {
        return times(counts(database.sql("""
                        insert into step_operation (trial_id, step, operation, weight, offered, sent, completed, failed, unfinished,
                                                    completed_in_step, errors, metrics,
                                                    service, service_failed, response, response_failed, excess, below_delay)
                        select :trial, o.step, o.operation, o.weight, o.offered, o.sent, o.completed, o.failed, o.unfinished,
                               o.in_step, o.errors, '{}',
                               decode(o.service, 'base64'), decode(o.service_failed, 'base64'),
                               decode(o.response, 'base64'), decode(o.response_failed, 'base64'),
                               decode(o.excess, 'base64'), o.below_delay
                          from unnest(:step::int[], :operation::text[], :weight::int[], :offered::bigint[], :sent::bigint[],
                                      :completed::bigint[], :failed::bigint[], :unfinished::bigint[], :inStep::bigint[],
                                      :errors::text[]::jsonb[], :service::text[], :serviceFailed::text[], :response::text[],
                                      :responseFailed::text[], :excess::text[], :belowDelay::bigint[])
                               as o(step, operation, weight, offered, sent, completed, failed, unfinished, in_step, errors,
                                    service, service_failed, response, response_failed, excess, below_delay)
                        """), rows, o -> o.of().counts()), rows, o -> o.of().times())
                .bind("trial", trial)
                .bind("step", column(rows, OfStep::step, Integer[]::new))
                .bind("operation", column(rows, o -> o.of().name(), String[]::new))
                .bind("weight", column(rows, o -> o.of().weight(), Integer[]::new))
                .bind("inStep", column(rows, o -> o.of().completedInStep(), Long[]::new))
                .bind("errors", column(rows, o -> json.apply(o.of().errors()), String[]::new))
                .then();
    }
}
