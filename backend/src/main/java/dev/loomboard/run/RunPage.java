package dev.loomboard.run;

import dev.loomboard.catalog.Metrics;
import dev.loomboard.cell.RunPriority;
import dev.loomboard.kernel.Caller;
import dev.loomboard.view.ColumnFormat;
import dev.loomboard.view.MetricReading;
import dev.loomboard.web.Page;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run, live.
 *
 * @param mayMove whether the caller owns it and it waits
 * @param mayCancel whether the caller owns it and it is not over
 * @param mayRetract whether the caller owns it or is an administrator
 */
public record RunPage(RunDetail detail, boolean mayMove, boolean mayCancel, boolean mayRetract) implements Page {

    static final List<String> COLUMNS = List.of(
            "response_p50_ms",
            "response_p99_ms",
            "service_p50_ms",
            "throughput_per_s",
            "rss_mib",
            "cpu_us_per_request",
            "error_ratio");

    static RunPage of(RunDetail detail, Caller caller) {
        boolean owner = caller.owns(detail.run().workspaceId());
        boolean administrator = caller instanceof Caller.Person person && person.administrator();
        return new RunPage(
                detail, owner && detail.place() != null, owner && !detail.run().over(), owner || administrator);
    }

    /** Whether it waits with this priority. */
    public boolean is(RunPriority priority) {
        return detail.place() != null && detail.place().priority() == priority;
    }

    public List<String> columns() {
        return COLUMNS;
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
