package dev.loomboard.compare;

import dev.loomboard.catalog.Limits;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.stats.Ratio;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Pairs the sides that two builds have in common and sets them against each other. */
final class Pairs {

    private static final Comparator<Comparison.Pair> ORDER = Comparator.comparing(Comparison.Pair::scenarioKey)
            .thenComparing(Comparison.Pair::server)
            .thenComparing(Comparison.Pair::variant)
            .thenComparing(Comparison.Pair::machine)
            .thenComparing(Comparison.Pair::collector)
            .thenComparing(pair -> String.join(" ", pair.jvmOptions()))
            .thenComparing(pair -> pair.limits().words())
            .thenComparing(Comparison.Pair::protocol)
            .thenComparing(Comparison.Pair::metric, Comparator.comparingInt(Pairs::place));

    private Pairs() {}

    record Cell(
            String scenarioKey,
            String workload,
            String server,
            String variant,
            String concurrencyModel,
            String collector,
            List<String> jvmOptions,
            Limits limits,
            String protocol,
            String machine,
            String machineName,
            String metric) {}

    /** @param family what both sides must share */
    record Row(
            String family,
            String build,
            String serverDigest,
            String fingerprint,
            boolean eligible,
            Cell cell,
            Comparison.Side side) {}

    static Comparison of(Comparison.Build baseline, Comparison.Build candidate, List<Row> rows) {
        Map<String, Row> candidates = new LinkedHashMap<>();
        rows.stream().filter(r -> r.build().equals(candidate.slug())).forEach(r -> candidates.put(r.family(), r));
        List<Comparison.Pair> pairs = rows.stream()
                .filter(r -> r.build().equals(baseline.slug()))
                .flatMap(a -> Optional.ofNullable(candidates.get(a.family())).map(b -> pair(a, b)).stream())
                .sorted(ORDER)
                .toList();
        boolean distribution = !baseline.lineageHash().equals(candidate.lineageHash());
        return new Comparison(baseline, candidate, distribution, pairs);
    }

    private static Comparison.Pair pair(Row a, Row b) {
        Ratio ratio = Ratio.welch(a.side().values(), b.side().values()).orElse(null);
        List<String> reasons = reasons(a, b, ratio);
        Cell cell = a.cell();
        return new Comparison.Pair(
                cell.scenarioKey(),
                cell.workload(),
                cell.server(),
                cell.variant(),
                cell.concurrencyModel(),
                cell.collector(),
                cell.jvmOptions(),
                cell.limits(),
                cell.protocol(),
                cell.machine(),
                cell.machineName(),
                cell.metric(),
                a.side(),
                b.side(),
                ratio == null ? null : ratio.ratio(),
                ratio == null ? null : ratio.low(),
                ratio == null ? null : ratio.high(),
                reasons.isEmpty(),
                reasons.isEmpty() ? null : String.join("; ", reasons));
    }

    private static List<String> reasons(Row a, Row b, @Nullable Ratio ratio) {
        List<String> reasons = new ArrayList<>();
        if (ratio == null) {
            reasons.add("a trial's value is 0, so there is no ratio");
        } else if (ratio.low() == null) {
            reasons.add("an interval needs two trials on each side, there are "
                    + a.side().values().size() + " and " + b.side().values().size());
        }
        if (!a.eligible() || !b.eligible()) {
            reasons.add("too few hits lie beyond the percentile in a trial");
        }
        if (!a.fingerprint().equals(b.fingerprint())) {
            reasons.add("the host changed between the two");
        }
        if (!a.serverDigest().equals(b.serverDigest())) {
            reasons.add("the two ran different builds of the server");
        }
        side("the baseline", a, reasons);
        side("the candidate", b, reasons);
        return reasons;
    }

    private static void side(String name, Row row, List<String> reasons) {
        if (row.side().standing().equals("unranked")) {
            reasons.add(name + " is unranked: " + row.side().reason());
        }
    }

    private static int place(String metric) {
        return Metrics.all().list().indexOf(Metrics.all().get(metric));
    }
}
