package dev.loomboard.forecast;

import dev.loomboard.expansion.Cell;
import dev.loomboard.stats.Margin;
import dev.loomboard.stats.change.MinimumDetectableEffect;
import dev.loomboard.stats.paired.Effect;
import dev.loomboard.stats.paired.Judgement;
import dev.loomboard.verdict.DeclaredTest;
import dev.loomboard.verdict.TestDimension;
import dev.loomboard.view.Format;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The smallest change of the JDK that a run finds with {@link dev.loomboard.stats.paired.Power#WANTED}, of one metric; as a ratio − 1.
 *
 * @param series that are compared
 * @param measured of these, whose spread is known
 * @param family tests that are corrected together, of all metrics
 * @param blocks of each
 * @param night in the run itself, after the correction; null: too few trials for any verdict
 * @param rerun by the rerun that a suspect starts
 */
public record MetricPower(
        String metric,
        int series,
        int measured,
        int family,
        int blocks,
        @Nullable Range night,
        Range rerun) {

    /** Of the series with the smallest spread and of that with the largest. */
    public record Range(double low, double high) {

        private Range with(double other) {
            return new Range(Math.min(low, other), Math.max(high, other));
        }

        /** "4 %", or "4 % to 7 %" where series differ. */
        public String words() {
            String least = Format.percent(low);
            String most = Format.percent(high);
            return least.equals(most) ? least : least + " to " + most;
        }
    }

    /** Each metric of the tests between builds, in their order; empty: there are none. */
    static List<MetricPower> of(List<Cell> cells, int blocks, Map<SeriesSpread.Key, SeriesSpread> spreads) {
        List<DeclaredTest> tests = DeclaredTest.of(cells).stream()
                .filter(test ->
                        test.axis() == TestDimension.JDK && !test.metric().equals(DeclaredTest.FAILED))
                .toList();
        Map<String, Set<SeriesSpread.Key>> series = new LinkedHashMap<>();
        tests.forEach(test -> series.computeIfAbsent(test.metric(), metric -> new LinkedHashSet<>())
                .add(SeriesSpread.Key.of(cells.get(test.candidate()), test.metric())));
        List<MetricPower> all = new ArrayList<>();
        series.forEach((metric, keys) -> all.add(of(metric, keys, tests.size(), blocks, spreads)));
        return List.copyOf(all);
    }

    private static MetricPower of(
            String metric,
            Set<SeriesSpread.Key> keys,
            int family,
            int blocks,
            Map<SeriesSpread.Key, SeriesSpread> spreads) {
        Margin margin = DeclaredTest.margin(metric);
        Range night = null;
        Range rerun = null;
        int measured = 0;
        for (SeriesSpread.Key key : keys) {
            SeriesSpread known = spreads.get(key);
            measured += known == null ? 0 : 1;
            // At a level that is not known, a floor in the metric's unit says nothing.
            Margin least = known == null ? new Margin(margin.scale(), margin.delta(), 0) : margin;
            SeriesSpread spread = known == null ? new SeriesSpread(1, SeriesSpread.ASSUMED) : known;
            double bySuspect = MinimumDetectableEffect.byRerun(least, spread.level(), spread.spread());
            rerun = rerun == null ? new Range(bySuspect, bySuspect) : rerun.with(bySuspect);
            if (blocks >= Effect.LEAST_BLOCKS) {
                double byItself = MinimumDetectableEffect.byBlocks(
                        least, spread.level(), spread.spread(), blocks, Judgement.ALPHA / family);
                night = night == null ? new Range(byItself, byItself) : night.with(byItself);
            }
        }
        if (rerun == null) {
            throw new IllegalArgumentException("no series of " + metric);
        }
        return new MetricPower(metric, keys.size(), measured, family, blocks, night, rerun);
    }

    public String title() {
        return RunForecast.title(metric);
    }
}
