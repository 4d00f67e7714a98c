package dev.loomboard.runexport;

import dev.loomboard.bundle.BundleCell;
import dev.loomboard.bundle.BundleTrial;
import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.measurement.Validity;
import dev.loomboard.web.CsvText;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code trials.csv}: a row for each trial and metric, for whoever wants the numbers alone. Nobody reads it back. */
final class BundleTable {

    private BundleTable() {}

    /** A number of a trial. */
    record Reading(
            String metric,
            double value,
            boolean eligible,
            @Nullable String reason) {}

    static byte[] head() {
        return bytes(CsvText.line(List.of(
                "trial",
                "id",
                "scenario",
                "server",
                "variant",
                "jdk",
                "collector",
                "kind",
                "ordinal",
                "state",
                "validity",
                "metric",
                "unit",
                "value",
                "eligible",
                "reason")));
    }

    /** @param readings empty: a row says that nothing was measured */
    static byte[] rows(
            int number, BundleTrial trial, BundleCell cell, @Nullable Validity validity, List<Reading> readings) {
        List<@Nullable Object> head = Arrays.asList(
                number,
                trial.id(),
                cell.scenario().key(),
                cell.server().name(),
                cell.server().variant(),
                cell.jdk() == null ? "no-jdk" : cell.jdk(),
                cell.collector(),
                trial.kind().wire(),
                trial.ordinal(),
                trial.end().state().wire(),
                validity == null ? null : validity.wire());
        StringBuilder text = new StringBuilder();
        if (readings.isEmpty()) {
            text.append(CsvText.line(CsvText.joined(head, Arrays.asList(null, null, null, null, null))));
        }
        for (Reading reading : readings) {
            String unit = Metrics.all().find(reading.metric()).map(Metric::unit).orElse("");
            text.append(CsvText.line(CsvText.joined(
                    head,
                    Arrays.asList(reading.metric(), unit, reading.value(), reading.eligible(), reading.reason()))));
        }
        return bytes(text.toString());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
