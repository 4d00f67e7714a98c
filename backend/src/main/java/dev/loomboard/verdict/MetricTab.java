package dev.loomboard.verdict;

import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.view.Query;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One metric of those that a page has numbers of. */
public record MetricTab(Metric metric, String href, boolean current) {

    /** @param there the metrics of which there are numbers */
    public static List<MetricTab> of(Set<String> there, Query query, String current) {
        return DeclaredTest.COMPARED.stream()
                .filter(there::contains)
                .map(name -> new MetricTab(Metrics.all().get(name), query.with("metric", name), name.equals(current)))
                .toList();
    }

    /** What was asked for, if it is ever judged; else the first of which there are numbers. */
    public static String chosen(Set<String> there, @Nullable String asked) {
        return asked != null && DeclaredTest.COMPARED.contains(asked)
                ? asked
                : DeclaredTest.COMPARED.stream()
                        .filter(there::contains)
                        .findFirst()
                        .orElse(DeclaredTest.COMPARED.getFirst());
    }
}
