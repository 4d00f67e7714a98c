package dev.loomboard.shift;

import dev.loomboard.catalog.Metrics;
import dev.loomboard.view.Format;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One row of a table of two sides; null: not on record. */
public record Difference(
        String name, @Nullable String baseline, @Nullable String candidate) {

    /** Of every name that either has, in order. */
    public static List<Difference> all(Map<String, String> baseline, Map<String, String> candidate) {
        TreeSet<String> names = new TreeSet<>(baseline.keySet());
        names.addAll(candidate.keySet());
        return names.stream()
                .map(name -> new Difference(name, baseline.get(name), candidate.get(name)))
                .toList();
    }

    /** Of every metric that either counted, by its title. */
    public static List<Difference> ofCounts(Map<String, Double> baseline, Map<String, Double> candidate) {
        return all(figures(baseline), figures(candidate));
    }

    public boolean differs() {
        return !Objects.equals(baseline, candidate);
    }

    private static Map<String, String> figures(Map<String, Double> counts) {
        return counts.entrySet().stream()
                .collect(Collectors.toMap(
                        count -> Metrics.all().get(count.getKey()).title(), count -> Format.three(count.getValue())));
    }
}
