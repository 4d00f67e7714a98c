package dev.loomboard.measurement;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.kernel.FieldChecks;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Samples of one batch, column by column. Its JSON is the wire's Ticks.
 *
 * @param atNs ns from the trial's start, ascending
 * @param lateNs how late each tick was; null: not known, as in a bundle, since nothing keeps it
 * @param columns metric → as many values as there are ticks; null is not measured, never zero
 */
public record Ticks(
        List<Long> atNs,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<Long> lateNs,
        Map<String, List<@Nullable Double>> columns) {

    private static final int MOST_TICKS = 20_000;
    private static final int MOST_COLUMNS = 200;

    public Ticks {
        atNs = FieldChecks.list("atNs", atNs, MOST_TICKS);
        if (lateNs != null) {
            lateNs = FieldChecks.list("lateNs", lateNs, MOST_TICKS);
            sameLength("lateNs", lateNs.size(), atNs.size());
        }
        long previous = -1;
        for (int i = 0; i < atNs.size(); i++) {
            FieldChecks.notNegative("atNs[" + i + "]", atNs.get(i));
            FieldChecks.ascending("atNs[" + i + "]", previous, atNs.get(i));
            if (lateNs != null) {
                FieldChecks.notNegative("lateNs[" + i + "]", lateNs.get(i));
            }
            previous = atNs.get(i);
        }
        FieldChecks.present("columns", columns);
        if (columns.size() > MOST_COLUMNS) {
            throw new FieldChecks.Refused(
                    "columns", "must have at most " + MOST_COLUMNS + " entries, has " + columns.size());
        }
        int ticks = atNs.size();
        columns.forEach((metric, values) -> column("columns." + metric, metric, values, ticks));
    }

    private static void column(String field, String metric, @Nullable List<@Nullable Double> values, int ticks) {
        if (Metrics.all().find(metric).filter(Metric::sampled).isEmpty()) {
            throw new FieldChecks.Refused(field, "is not a metric that is sampled; see api/metrics.json");
        }
        List<@Nullable Double> given = FieldChecks.present(field, values);
        sameLength(field, given.size(), ticks);
        for (int i = 0; i < ticks; i++) {
            Double value = given.get(i);
            if (value != null) {
                FieldChecks.finite(field + "[" + i + "]", value);
            }
        }
    }

    private static void sameLength(String field, int size, int ticks) {
        if (size != ticks) {
            throw new FieldChecks.Refused(field, "must have as many entries as atNs, " + ticks + ", has " + size);
        }
    }
}
