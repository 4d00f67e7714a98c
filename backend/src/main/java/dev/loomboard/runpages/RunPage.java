package dev.loomboard.runpages;

import dev.loomboard.catalog.Metrics;
import dev.loomboard.cell.RunPriority;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Right;
import dev.loomboard.run.RunMaker;
import dev.loomboard.view.ColumnFormat;
import dev.loomboard.view.MetricReading;
import dev.loomboard.web.Page;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One run, live.
 *
 * @param mayMove whether the caller may cancel every run of its workspace and it waits
 * @param mayCancel whether it is the caller's to cancel and not over
 * @param mayRetry whether cells failed that the caller may have measured again
 * @param mayRetract whether the caller is an owner of its workspace or an administrator
 * @param mayHide whether the caller is an administrator
 */
public record RunPage(
        RunDetail detail, boolean mayMove, boolean mayCancel, boolean mayRetry, boolean mayRetract, boolean mayHide)
        implements Page {

    /**
     * One of the table of trials.
     *
     * @param metric name in the catalogue
     * @param of what stands below the title; before the unit of the column's numbers where they are scaled
     */
    public record Column(String metric, String title, String of, boolean scaled) {
        /** In one line, for cells that stand by themselves. */
        public String label() {
            return title + ", " + of;
        }
    }

    static final List<Column> COLUMNS = List.of(
            new Column("response_p50_ms", "p50 latency", "response", true),
            new Column("response_p99_ms", "p99 latency", "response", true),
            new Column("service_p50_ms", "p50 latency", "service", true),
            new Column("throughput_per_s", "Throughput", "/s", false),
            new Column("rss_mib", "RSS", "MiB", false),
            new Column("cpu_us_per_request", "CPU", "µs/request", false),
            new Column("error_ratio", "Errors", "of offered", false));

    /** Of the table of a mix's operations. */
    static final List<Column> OPERATION_COLUMNS = List.of(
            new Column("throughput_per_s", "Throughput", "/s", false),
            new Column("error_ratio", "Errors", "of offered", false),
            new Column("response_p50_ms", "p50 latency", "response", true),
            new Column("response_p99_ms", "p99 latency", "response", true),
            new Column("response_p999_ms", "p99.9 latency", "response", true));

    /** Of the table of cells: what the server adds to a declared delay comes first. */
    static final List<Column> CELL_COLUMNS = Stream.concat(
                    Stream.of(
                            new Column("response_excess_p50_ms", "p50 excess", "over delay", true),
                            new Column("response_excess_p99_ms", "p99 excess", "over delay", true)),
                    COLUMNS.stream())
            .toList();

    static final List<String> METRICS =
            CELL_COLUMNS.stream().map(Column::metric).toList();

    static RunPage of(RunDetail detail, Caller caller) {
        RunMaker maker = detail.run().maker();
        boolean administrator = caller instanceof Caller.Person person && person.administrator();
        return new RunPage(
                detail,
                caller.may(Right.CANCEL_RUNS, maker.workspace()) && detail.place() != null,
                maker.mayCancel(caller) && !detail.run().over(),
                RetryService.may(detail, caller),
                administrator || caller.may(Right.RETRACT_RUN, maker.workspace()),
                administrator);
    }

    public List<Column> operationColumns() {
        return OPERATION_COLUMNS;
    }

    /** What a closed load has in place of a response time. */
    public String metricOf(RunDetail.Cell cell, String metric) {
        return cell.scenario().closed() ? metric.replaceFirst("^response_", "service_") : metric;
    }

    /** Of a column of operations. */
    public ColumnFormat operationScale(String metric) {
        List<@Nullable Double> values = new ArrayList<>();
        detail.mixed()
                .forEach(cell -> cell.operations().forEach(operation -> {
                    MetricReading reading = operation.readings().get(metricOf(cell, metric));
                    values.add(reading == null ? null : reading.mean());
                }));
        return ColumnFormat.of(Metrics.all().get(metric).unit(), values);
    }

    /** Whether it waits with this priority. */
    public boolean is(RunPriority priority) {
        return detail.place() != null && detail.place().priority() == priority;
    }

    public List<Column> columns() {
        return COLUMNS;
    }

    /** Columns of the table of cells: those that any cell has. */
    public List<Column> cellColumns() {
        return CELL_COLUMNS.stream()
                .filter(column ->
                        detail.summedUp().stream().anyMatch(cell -> cell.means().containsKey(column.metric())))
                .toList();
    }

    /** Of a column of cells. */
    public ColumnFormat cellScale(String metric) {
        List<@Nullable Double> values = new ArrayList<>();
        detail.summedUp().forEach(cell -> {
            MetricReading reading = cell.means().get(metric);
            values.add(reading == null ? null : reading.mean());
        });
        return ColumnFormat.of(Metrics.all().get(metric).unit(), values);
    }

    public ColumnFormat scale(String metric) {
        List<@Nullable Double> values = new ArrayList<>();
        detail.trials().forEach(trial -> {
            MetricReading reading = trial.readings().get(metric);
            values.add(reading == null ? null : reading.mean());
        });
        return ColumnFormat.of(Metrics.all().get(metric).unit(), values);
    }

    @Override
    public String template() {
        return "run/run.jte";
    }
}
