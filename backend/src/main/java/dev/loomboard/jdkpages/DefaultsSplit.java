package dev.loomboard.jdkpages;

import static java.util.stream.Collectors.groupingBy;

import dev.loomboard.matching.Comparison;
import dev.loomboard.stats.paired.Verdict;
import dev.loomboard.verdict.VerdictCounts;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What two builds differ in where the JVM chooses collector and heap, beside what they differ in where both are set.
 *
 * @param onlyDefaults differences where the JVM chooses whose cells that are pinned, and else the same, are all equivalent, which points
 *     to a changed default
 */
public record DefaultsSplit(VerdictCounts pinned, VerdictCounts defaults, long onlyDefaults) {

    /** Null: no cell of both leaves the choice to the JVM. */
    static @Nullable DefaultsSplit of(List<Comparison.Pair> pairs) {
        Predicate<Comparison.Pair> byDefaults = pair -> pair.cell().settings().defaults();
        List<Comparison.Pair> defaults = pairs.stream().filter(byDefaults).toList();
        List<Comparison.Pair> pinned =
                pairs.stream().filter(byDefaults.negate()).toList();
        if (defaults.isEmpty()) {
            return null;
        }
        Map<Comparison.Cell, List<Comparison.Pair>> twins = pinned.stream().collect(groupingBy(DefaultsSplit::key));
        return new DefaultsSplit(
                counts(pinned),
                counts(defaults),
                defaults.stream()
                        .filter(pair -> BuildStep.differs(pair.verdict()))
                        .map(pair -> twins.getOrDefault(key(pair), List.of()))
                        .filter(same ->
                                !same.isEmpty() && same.stream().allMatch(twin -> twin.verdict() == Verdict.EQUIVALENT))
                        .count());
    }

    private static VerdictCounts counts(List<Comparison.Pair> pairs) {
        return VerdictCounts.of(pairs.stream().map(Comparison.Pair::verdict).toList());
    }

    /** The cell, whatever its collector. */
    private static Comparison.Cell key(Comparison.Pair pair) {
        Comparison.Cell cell = pair.cell();
        return new Comparison.Cell(
                cell.scenarioKey(),
                cell.workload(),
                cell.server(),
                cell.settings().with(""),
                cell.machine(),
                cell.jdk(),
                cell.metric());
    }
}
