package dev.loomboard.bisection;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A bisection for scripts, as {@code api/v1.yaml} promises it. */
public record BisectionAnswer(
        String id,
        BisectionStatus state,
        @Nullable String reason,
        String sentence,
        List<Believed> builds,
        List<String> credible,
        @Nullable Two twoChanges,
        List<Step> steps,
        @JsonUnwrapped BisectionCost cost,
        Instant startedAt,
        @Nullable Instant endedAt) {

    record Believed(String build, double posterior) {}

    /**
     * @param first slugs that hold 95 % for the first of two changes, the most probable first
     * @param second the same
     */
    record Two(double posterior, List<String> first, List<String> second) {}

    record Step(
            String build,
            @Nullable String run,
            StepStatus state,
            @Nullable Integer blocks,
            @Nullable Double effect,
            @Nullable Double low,
            @Nullable Double high,
            @Nullable String reason,
            @Nullable List<Double> posterior) {}

    public static BisectionAnswer of(BisectionView b) {
        return new BisectionAnswer(
                b.id(),
                b.state(),
                b.reason(),
                b.sentence(),
                b.believed().stream()
                        .map(one -> new Believed(one.build().slug(), one.posterior()))
                        .toList(),
                slugs(b.credible()),
                b.two() == null ? null : new Two(b.two().posterior(), slugs(b.first()), slugs(b.second())),
                b.steps().stream()
                        .map(s -> new Step(
                                b.build(s).slug(),
                                s.run(),
                                s.state(),
                                s.blocks(),
                                s.effect(),
                                s.low(),
                                s.high(),
                                s.reason(),
                                s.posterior()))
                        .toList(),
                b.cost(),
                b.startedAt(),
                b.endedAt());
    }

    private static List<String> slugs(List<BisectionView.Believed> of) {
        return of.stream().map(one -> one.build().slug()).toList();
    }
}
