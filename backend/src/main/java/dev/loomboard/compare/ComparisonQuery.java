package dev.loomboard.compare;

import dev.loomboard.verdict.ComparisonDimension;
import dev.loomboard.web.Problem;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What an address asks to compare.
 *
 * @param baseline null: not chosen
 * @param candidates each once, none of them the baseline
 */
record ComparisonQuery(
        ComparisonDimension subject, @Nullable String baseline, List<String> candidates) {

    /**
     * @param query {@code b} may be there more than once, or hold several names with commas between; without {@code a} the first of several is
     *     the baseline, as the board's boxes are sent. Two builds have a form of their own
     */
    static ComparisonQuery of(Map<String, List<String>> query) {
        String axis = first(query, "axis");
        ComparisonDimension subject = axis == null
                ? ComparisonDimension.JDK
                : ComparisonDimension.of(axis)
                        .orElseThrow(() -> Problem.invalid(
                                        "axis", "must be one of " + ComparisonDimension.all() + ", is: " + axis)
                                .asException());
        String baseline = first(query, "a");
        List<String> candidates = query.getOrDefault("b", List.of()).stream()
                .filter(Objects::nonNull)
                .flatMap(value -> Stream.of(value.split(",")))
                .filter(value -> !value.isEmpty() && !value.equals(baseline))
                .distinct()
                .toList();
        if (candidates.size() > ComparisonDimension.MOST_CANDIDATES) {
            throw Problem.invalid(
                            "b",
                            "at most " + ComparisonDimension.MOST_CANDIDATES + " candidates, there are "
                                    + candidates.size())
                    .asException();
        }
        boolean open = baseline == null || baseline.isEmpty();
        if (open && subject != ComparisonDimension.JDK && candidates.size() > 1) {
            return new ComparisonQuery(subject, candidates.getFirst(), candidates.subList(1, candidates.size()));
        }
        return new ComparisonQuery(subject, open ? null : baseline, candidates);
    }

    /** Two builds, which have a page of their own. */
    boolean builds() {
        return subject == ComparisonDimension.JDK && candidates.size() < 2;
    }

    List<String> named() {
        return baseline == null
                ? candidates
                : Stream.concat(Stream.of(baseline), candidates.stream()).toList();
    }

    private static @Nullable String first(Map<String, List<String>> query, String name) {
        List<String> values = query.getOrDefault(name, List.of());
        return values.isEmpty() ? null : values.getFirst();
    }
}
