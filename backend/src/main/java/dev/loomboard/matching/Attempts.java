package dev.loomboard.matching;

import dev.loomboard.stats.PooledRatio;
import dev.loomboard.view.Format;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The newest runs in which a pair was to be measured on one metric, and what they say together: an estimate without a verdict, since each
 * run declared a family of its own.
 *
 * @param pooled null: fewer than two of them count
 * @param runs oldest first
 */
public record Attempts(@Nullable PooledRatio pooled, List<Attempt> runs) {

    public Attempts {
        runs = List.copyOf(runs);
    }

    public static Attempts of(List<Attempt> runs) {
        return new Attempts(
                PooledRatio.of(runs.stream()
                                .map(Attempt::pooled)
                                .filter(Objects::nonNull)
                                .toList())
                        .orElse(null),
                runs);
    }

    /** Such as "3 of 4 runs pooled: +3.0 % (−0.8 % to +6.9 %), an estimate without a verdict". */
    public String words() {
        if (pooled == null) {
            return Format.of(runs.size(), "run") + "; fewer than two can be pooled";
        }
        String count = pooled.runs() == runs.size()
                ? Format.of(runs.size(), "run") + " pooled: "
                : pooled.runs() + " of " + Format.of(runs.size(), "run") + " pooled: ";
        return count + Format.change(pooled.ratio()) + " (" + Format.change(pooled.low()) + " to "
                + Format.change(pooled.high()) + "), an estimate without a verdict"
                + (pooled.runs() == 2 ? "; two runs estimate their spread poorly" : "");
    }

    /** What one run found, or why it does not count. */
    public static String words(Attempt run) {
        String found = run.ratio() == null ? "" : Format.change(run.ratio());
        String cut = run.cutShortOf() == null
                ? ""
                : " (cut short: %d of %s)".formatted(run.blocks(), Format.of(run.cutShortOf(), "block"));
        String left = run.leftOut() == null ? "" : (found.isEmpty() ? "" : ", ") + "not pooled: " + run.leftOut();
        return found + left + cut;
    }
}
