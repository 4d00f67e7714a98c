package dev.loomboard.compare;

import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.show.Query;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One metric of those that a page has numbers of. */
public record Tab(Metric metric, String href, boolean current) {

    /** @param there the metrics of which there are numbers */
    static List<Tab> of(Set<String> there, Query query, String current) {
        return Declared.ALL.stream()
                .filter(there::contains)
                .map(name -> new Tab(Metrics.all().get(name), query.with("metric", name), name.equals(current)))
                .toList();
    }

    /** What was asked for, if it is ever judged; else the first of which there are numbers. */
    static String chosen(Set<String> there, @Nullable String asked) {
        return asked != null && Declared.ALL.contains(asked)
                ? asked
                : Declared.ALL.stream().filter(there::contains).findFirst().orElse(Declared.ALL.getFirst());
    }
}
