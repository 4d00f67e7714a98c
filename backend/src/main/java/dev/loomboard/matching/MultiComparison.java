package dev.loomboard.matching;

import dev.loomboard.verdict.ComparisonDimension;
import java.util.List;

/** A baseline and one or more candidates, compared cell by cell. */
public record MultiComparison(ComparisonDimension subject, Named baseline, List<Against> against) {

    /**
     * @param value as in addresses
     * @param words as on pages
     */
    public record Named(String value, String words) {}

    /** @param pairs in the order of {@link CellMatcher} */
    public record Against(Named candidate, boolean distribution, List<Comparison.Pair> pairs) {}

    public MultiComparison {
        against = List.copyOf(against);
    }

    public List<Comparison.Pair> pairs() {
        return against.stream().flatMap(each -> each.pairs().stream()).toList();
    }
}
