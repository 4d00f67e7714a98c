package dev.loomboard.matching;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.kernel.WireName;
import dev.loomboard.stats.RatioMean;
import dev.loomboard.view.Format;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The ratios of all cells in one, of those that may be judged; not a verdict. Its JSON is flat.
 *
 * @param mean null: no cell may be judged
 * @param acrossRuns of its cells, those whose sides are of two runs
 * @param leftOut cells that are not in it
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RatioSummary(@JsonUnwrapped @Nullable RatioMean mean, int acrossRuns, Map<Reason, Long> leftOut) {

    /** Why a cell is left out of the mean; of several that hold the first. */
    public enum Reason implements WireName {
        RETRACTED("retracted"),
        NO_RATIO("without a ratio"),
        ONE_TRIAL("with one trial on a side"),
        GREYED("with too few requests beyond the percentile"),
        UNRANKED("with an unranked side"),
        OTHER_HOST("with a changed host"),
        OTHER_SERVER("with two builds of the server"),
        NOT_JUDGED("with blocks that may not be judged");

        private final String words;

        Reason(String words) {
            this.words = words;
        }
    }

    public static RatioSummary of(List<Comparison.Pair> pairs) {
        List<Comparison.Pair> in =
                pairs.stream().filter(pair -> pair.leftOut() == null).toList();
        return new RatioSummary(
                RatioMean.of(in.stream()
                                .flatMap(pair -> Optional.ofNullable(pair.summand()).stream())
                                .toList())
                        .orElse(null),
                Math.toIntExact(in.stream()
                        .filter(pair ->
                                !pair.baseline().run().equals(pair.candidate().run()))
                        .count()),
                pairs.stream()
                        .map(Comparison.Pair::leftOut)
                        .filter(Objects::nonNull)
                        .collect(Collectors.groupingBy(
                                reason -> reason, () -> new EnumMap<>(Reason.class), Collectors.counting())));
    }

    /** Such as "3 left out: 2 with an unranked side, 1 with one trial on a side"; empty: none is. */
    public String leftOutWords() {
        if (leftOut.isEmpty()) {
            return "";
        }
        long all = leftOut.values().stream().mapToLong(n -> n).sum();
        return Format.count(all) + " left out: "
                + leftOut.entrySet().stream()
                        .map(e -> Format.count(e.getValue()) + " " + e.getKey().words)
                        .collect(Collectors.joining(", "));
    }
}
