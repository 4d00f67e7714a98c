package dev.loomboard.rollup;

import static dev.loomboard.kernel.Rows.json;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.measurement.Step;
import dev.loomboard.measurement.StoredJson;
import io.r2dbc.spi.Readable;
import java.util.List;
import java.util.Map;
import tools.jackson.core.type.TypeReference;

/** The columns of an operation of a mix as pages read it. */
public final class OperationSql {

    /** Of {@code step_operation} as {@code o}. */
    public static final String COLUMNS = """
             o.step, o.operation, o.weight, o.offered, o.sent, o.completed, o.failed, o.unfinished,
             o.completed_in_step, o.errors, o.metrics
            """;

    private static final TypeReference<List<Step.ErrorClass>> ERRORS = new TypeReference<>() {};
    private static final TypeReference<Map<String, MetricValue>> METRICS = new TypeReference<>() {};

    private OperationSql() {}

    public static OperationNumbers read(Readable row) {
        return new OperationNumbers(
                whole(row, "step"),
                text(row, "operation"),
                whole(row, "weight"),
                number(row, "offered"),
                number(row, "sent"),
                number(row, "completed"),
                number(row, "failed"),
                number(row, "unfinished"),
                number(row, "completed_in_step"),
                StoredJson.read(json(row, "errors"), ERRORS),
                StoredJson.read(json(row, "metrics"), METRICS));
    }
}
