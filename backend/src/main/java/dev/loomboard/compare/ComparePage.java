package dev.loomboard.compare;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.loomboard.catalog.Metric;
import dev.loomboard.show.Axis;
import dev.loomboard.show.Filter;
import dev.loomboard.show.Jdk;
import dev.loomboard.show.Query;
import dev.loomboard.show.Reading;
import dev.loomboard.show.Scale;
import dev.loomboard.show.Scenario;
import dev.loomboard.web.Page;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Two builds on one metric.
 *
 * @param metric of the catalogue
 * @param pairs cells that both builds have, the greatest difference first
 * @param lonely cells that only one build has, or that miss the metric on a side: in words
 * @param geometricMean over the pairs' ratios; null: no pair
 * @param distribution whether the builds' lineages differ: then a difference is the distribution's, not the JDK's
 */
public record ComparePage(
        @JsonIgnore Query query,
        Jdk a,
        Jdk b,
        List<Jdk> choices,
        Metric metric,
        @JsonIgnore List<Tab> tabs,
        @JsonIgnore List<Filter> filters,
        List<Pair> pairs,
        List<String> lonely,
        @Nullable Double geometricMean,
        boolean distribution)
        implements Page {

    /** On the ln scale: about two per cent to either side of 1. */
    private static final double LEAST_SHOWN = 0.02;

    public record Tab(Metric metric, String href, boolean current) {}

    public record Pair(
            Scenario scenario,
            String server,
            String variant,
            String concurrencyModel,
            String machineName,
            Reading a,
            int trialsA,
            Reading b,
            int trialsB,
            Ratio ratio,
            String runA,
            String runB,
            String standing) {

        /** What may be said of it, and why no more. */
        public String words() {
            if (!a.eligible() || !b.eligible()) {
                return "not to be judged";
            }
            if (ratio.low() == null) {
                return trialsA == 1 && trialsB == 1 ? "one trial each: no interval, no verdict" : "one trial on a side: no interval, no verdict";
            }
            return "interval only, no verdict";
        }
    }

    public Scale scale() {
        List<@Nullable Double> values = new ArrayList<>();
        for (Pair pair : pairs) {
            values.add(pair.a().mean());
            values.add(pair.b().mean());
        }
        return Scale.of(metric.unit(), values);
    }

    /** The ratios' shared axis, logarithmic: half and double are equally far from 1, which is always on it. */
    private Axis axis() {
        List<@Nullable Double> values = new ArrayList<>();
        values.add(-LEAST_SHOWN);
        values.add(LEAST_SHOWN);
        for (Pair pair : pairs) {
            values.add(Math.log(pair.ratio().ratio()));
            values.add(pair.ratio().low() == null ? null : Math.log(pair.ratio().low()));
            values.add(pair.ratio().high() == null ? null : Math.log(pair.ratio().high()));
        }
        return Axis.over(values);
    }

    public String x(double ratio) {
        return axis().x(Math.log(ratio));
    }

    public double axisFrom() {
        return Math.exp(axis().from());
    }

    public double axisTo() {
        return Math.exp(axis().to());
    }

    public boolean anyInterval() {
        return pairs.stream().anyMatch(pair -> pair.ratio().low() != null);
    }

    @Override
    public String template() {
        return "compare/compare.jte";
    }

    @Override
    public @Nullable String fragment() {
        return "compare/_cells.jte";
    }
}
