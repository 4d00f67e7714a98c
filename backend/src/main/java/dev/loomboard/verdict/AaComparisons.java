package dev.loomboard.verdict;

import dev.loomboard.stats.Estimate;
import dev.loomboard.stats.paired.KolmogorovSmirnov;
import dev.loomboard.stats.paired.Verdict;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What verdicts say of two homes of one build (A/A): each comparison is of trials of its own, measured in blocks as every
 * comparison is. Whatever is said but {@code equivalent} and {@code inconclusive} is false.
 *
 * @param comparisons of one metric
 * @param without of these, without a verdict
 * @param verdicts how many of which
 * @param wrong share of those with a verdict that are said to differ, with its exact interval; null: none has one
 * @param p whether the p of the paired tests are spread evenly, as chance alone spreads them; null with {@code wrong}, or where the
 *     sides of a comparison did not differ at all, as shares of failures often do: then chance does not spread them evenly
 */
public record AaComparisons(
        int comparisons,
        int without,
        Map<Verdict, Integer> verdicts,
        @Nullable Estimate wrong,
        @Nullable KolmogorovSmirnov p) {

    /** @param p of the paired test, before adjustment; null with {@code verdict}: there is none */
    public record One(@Nullable Verdict verdict, @Nullable Double p) {}

    public static AaComparisons of(List<One> comparisons) {
        Map<Verdict, Integer> verdicts = new EnumMap<>(Verdict.class);
        List<One> judged = comparisons.stream()
                .filter(one -> one.verdict() != null && one.p() != null)
                .toList();
        judged.forEach(one -> verdicts.merge(Objects.requireNonNull(one.verdict()), 1, Integer::sum));
        int wrong = (int) judged.stream()
                .filter(one -> Objects.requireNonNull(one.verdict()).differs())
                .count();
        double[] p = judged.stream()
                .mapToDouble(one -> Objects.requireNonNull(one.p()))
                .toArray();
        boolean none = judged.isEmpty();
        boolean continuous = Arrays.stream(p).allMatch(one -> one < 1);
        return new AaComparisons(
                comparisons.size(),
                comparisons.size() - judged.size(),
                verdicts,
                none ? null : Estimate.share(wrong, judged.size()),
                none || !continuous ? null : KolmogorovSmirnov.even(p));
    }

    public int count(Verdict verdict) {
        return verdicts.getOrDefault(verdict, 0);
    }
}
