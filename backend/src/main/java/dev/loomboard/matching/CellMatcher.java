package dev.loomboard.matching;

import dev.loomboard.catalog.Metrics;
import dev.loomboard.cell.Jdk;
import dev.loomboard.cell.Standing;
import dev.loomboard.retracted.Retracted;
import dev.loomboard.stats.Ratio;
import dev.loomboard.stats.RatioMean;
import dev.loomboard.verdict.ComparisonDimension;
import dev.loomboard.verdict.DeclaredTest;
import dev.loomboard.verdict.JudgedTest;
import dev.loomboard.verdict.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Pairs the sides that two builds have in common and sets them against each other. */
final class CellMatcher {

    static final Comparator<Comparison.Pair> ORDER = Comparator.comparing(
            Comparison.Pair::cell,
            Comparator.comparing(Comparison.Cell::scenarioKey)
                    .thenComparing(cell -> cell.server().name())
                    .thenComparing(cell -> cell.server().variant())
                    .thenComparing(cell -> cell.machine().id())
                    .thenComparing(cell -> cell.settings().collector())
                    .thenComparing(cell -> String.join(" ", cell.settings().jvmOptions()))
                    .thenComparing(cell -> cell.settings().limits().words())
                    .thenComparing(cell -> cell.settings().protocol())
                    .thenComparing(cell -> String.valueOf(cell.jdk()))
                    .thenComparing(Comparison.Cell::metric, Comparator.comparingInt(CellMatcher::place)));

    private CellMatcher() {}

    /**
     * @param family what both sides must share
     * @param judged the test of this side's run in which its cell is the baseline and the other build's the candidate
     */
    record Row(
            String family,
            String build,
            String serverDigest,
            String fingerprint,
            boolean eligible,
            Comparison.Cell cell,
            Comparison.Side side,
            @Nullable JudgedTest judged) {}

    static Comparison of(Jdk baseline, Jdk candidate, List<Row> rows) {
        Map<String, Row> candidates = new LinkedHashMap<>();
        rows.stream().filter(r -> r.build().equals(candidate.slug())).forEach(r -> candidates.put(r.family(), r));
        List<Comparison.Pair> pairs = rows.stream()
                .filter(r -> r.build().equals(baseline.slug()))
                .flatMap(a -> Optional.ofNullable(candidates.get(a.family()))
                        .filter(b -> shown(a, judged(a, b)))
                        .map(b -> pair(ComparisonDimension.JDK, a, b, judged(a, b)))
                        .stream())
                .sorted(ORDER)
                .toList();
        boolean distribution = !baseline.lineageHash().equals(candidate.lineageHash());
        return new Comparison(baseline, candidate, distribution, pairs);
    }

    /** Shares of failed hits stand beside each other only where they are tested: most are 0. */
    private static boolean shown(Row row, @Nullable JudgedTest declared) {
        return declared != null || !row.cell().metric().equals(DeclaredTest.FAILED);
    }

    /** @param declared the test of the two, seen from {@code a}; null: none was declared */
    static Comparison.Pair pair(ComparisonDimension subject, Row a, Row b, @Nullable JudgedTest declared) {
        Retracted retracted =
                a.side().retracted() == null ? b.side().retracted() : a.side().retracted();
        JudgedTest judged = retracted == null ? declared : null;
        Outcome outcome = judged == null ? null : judged.outcome();
        boolean failures = a.cell().metric().equals(DeclaredTest.FAILED); // of shares that may be 0 there is no ratio
        Ratio welch = retracted == null && !failures
                ? Ratio.welch(a.side().values(), b.side().values()).orElse(null)
                : null;
        boolean blocks = outcome != null && outcome.found().effect() != null;
        Ratio ratio = failures || outcome == null || outcome.found().effect() == null
                ? welch
                : new Ratio(
                        outcome.found().effect(),
                        outcome.found().low(),
                        outcome.found().high());
        return new Comparison.Pair(
                a.cell(),
                a.side(),
                b.side(),
                new Comparison.Estimate(
                        ratio == null ? null : ratio.ratio(),
                        ratio == null ? null : ratio.low(),
                        ratio == null ? null : ratio.high(),
                        blocks ? Comparison.Method.BLOCKS : Comparison.Method.WELCH),
                judged,
                summand(a, b, outcome),
                leftOut(subject, a, b, outcome, ratio),
                retracted != null
                        ? retracted.words()
                        : outcome == null ? String.join("; ", reasons(subject, a, b, judged, welch)) : outcome.reason(),
                null);
    }

    private static RatioMean.@Nullable Cell summand(Row a, Row b, @Nullable Outcome outcome) {
        return outcome == null
                ? RatioMean.Cell.welch(a.side().values(), b.side().values()).orElse(null)
                : summand(outcome.found());
    }

    /** Of blocks; null: too few. */
    static RatioMean.@Nullable Cell summand(Outcome.Found found) {
        return found.effect() == null || found.low() == null || found.high() == null || found.degrees() == null
                ? null
                : RatioMean.Cell.ofBlocks(found.effect(), found.low(), found.high(), found.degrees());
    }

    private static RatioSummary.@Nullable Reason leftOut(
            ComparisonDimension subject, Row a, Row b, @Nullable Outcome outcome, @Nullable Ratio ratio) {
        if (a.side().retracted() != null || b.side().retracted() != null) {
            return RatioSummary.Reason.RETRACTED;
        }
        if (ratio == null) {
            return RatioSummary.Reason.NO_RATIO;
        }
        if (ratio.low() == null) {
            return RatioSummary.Reason.ONE_TRIAL;
        }
        if (!a.eligible() || !b.eligible()) {
            return RatioSummary.Reason.GREYED;
        }
        if (a.side().standing() == Standing.UNRANKED || b.side().standing() == Standing.UNRANKED) {
            return RatioSummary.Reason.UNRANKED;
        }
        if (hostsDiffer(subject, a, b)) {
            return RatioSummary.Reason.OTHER_HOST;
        }
        if (serversDiffer(subject, a, b)) {
            return RatioSummary.Reason.OTHER_SERVER;
        }
        return outcome != null && outcome.reason() != null ? RatioSummary.Reason.NOT_JUDGED : null;
    }

    private static boolean hostsDiffer(ComparisonDimension subject, Row a, Row b) {
        return subject != ComparisonDimension.MACHINE && !a.fingerprint().equals(b.fingerprint());
    }

    private static boolean serversDiffer(ComparisonDimension subject, Row a, Row b) {
        return subject != ComparisonDimension.SERVER && !a.serverDigest().equals(b.serverDigest());
    }

    /** Only trials of one run stood next to each other; the test may have been declared the other way round. */
    private static @Nullable JudgedTest judged(Row a, Row b) {
        if (!a.side().run().equals(b.side().run())) {
            return null;
        }
        return a.judged() != null
                ? a.judged()
                : b.judged() == null ? null : b.judged().turned();
    }

    private static List<String> reasons(
            ComparisonDimension subject, Row a, Row b, @Nullable JudgedTest judged, @Nullable Ratio ratio) {
        List<String> reasons = new ArrayList<>();
        if (judged != null) {
            reasons.add("their run has not ended");
        } else if (a.side().run().equals(b.side().run())) {
            reasons.add("no test of it was declared when the run was created");
        } else {
            reasons.add(subject.apart());
        }
        if (ratio == null) {
            reasons.add("a trial's value is 0, so there is no ratio");
        } else if (ratio.low() == null) {
            reasons.add("an interval needs two trials on each side, there are "
                    + a.side().values().size() + " and " + b.side().values().size());
        }
        if (!a.eligible() || !b.eligible()) {
            reasons.add("a trial has too few requests beyond the percentile");
        }
        if (hostsDiffer(subject, a, b)) {
            reasons.add("the host changed between the two");
        }
        if (serversDiffer(subject, a, b)) {
            reasons.add("the two ran different builds of the server");
        }
        side("the baseline", a, reasons);
        side("the candidate", b, reasons);
        return reasons;
    }

    private static void side(String name, Row row, List<String> reasons) {
        if (row.side().standing() == Standing.UNRANKED) {
            reasons.add(name + " is unranked: " + row.side().reason());
        }
    }

    private static int place(String metric) {
        return Metrics.all().list().indexOf(Metrics.all().get(metric));
    }
}
