package dev.loomboard.runexport;

import dev.loomboard.measurement.EncodedHistogram;
import dev.loomboard.measurement.Step;
import dev.loomboard.measurement.Window;
import dev.loomboard.stats.latency.Coarsening;
import dev.loomboard.stats.latency.Latencies;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a bundle has of one trial. */
final class TrialContent {

    private static final Coarsening ALONE = Coarsening.inside(Latencies.none());

    private final BundleContent content;
    private final Map<Integer, Wholes> wholes;

    private TrialContent(BundleContent content, Map<Integer, Wholes> wholes) {
        this.content = content;
        this.wholes = wholes;
    }

    /** Of a step, whose seconds are parts of it. */
    private record Wholes(Coarsening service, @Nullable Coarsening response) {}

    static TrialContent all() {
        return new TrialContent(BundleContent.ALL, Map.of());
    }

    /**
     * Its seconds have fewer values; what they say of their own percentiles and of those of their step is what they said. Those of a
     * step with failures, which count at their deadline, stay as they are.
     */
    static TrialContent compact(List<Step> steps) {
        Map<Integer, Wholes> wholes = new HashMap<>();
        for (Step step : steps) {
            Step.Times times = step.times();
            if (!failed(times)) {
                wholes.put(step.ordinal(), new Wholes(inside(times.service()), insideIfAny(times.response())));
            }
        }
        return new TrialContent(BundleContent.COMPACT, wholes);
    }

    boolean hasSamplesOf(String metric) {
        return content.hasSamplesOf(metric);
    }

    List<Window> seconds(List<Window> measured) {
        return measured.stream().filter(content::has).map(this::second).toList();
    }

    private Window second(Window all) {
        Wholes step = wholes.get(all.step());
        return step == null || failed(all.times())
                ? all
                : new Window(
                        all.phase(),
                        all.step(),
                        all.atNs(),
                        all.intended(),
                        all.sent(),
                        all.completed(),
                        all.failed(),
                        new Step.Times(
                                coarse(step.service(), all.times().service()),
                                null,
                                coarseIfAny(step.response(), all.times().response()),
                                null,
                                null,
                                null),
                        coarseIfAny(ALONE, all.lag()));
    }

    private static boolean failed(Step.Times times) {
        return times.serviceFailed() != null || times.responseFailed() != null;
    }

    private static @Nullable Coarsening insideIfAny(@Nullable EncodedHistogram whole) {
        return whole == null ? null : inside(whole);
    }

    private static Coarsening inside(EncodedHistogram whole) {
        return Coarsening.inside(latencies(whole));
    }

    private static @Nullable EncodedHistogram coarseIfAny(
            @Nullable Coarsening coarsening, @Nullable EncodedHistogram fine) {
        return coarsening == null || fine == null ? fine : coarse(coarsening, fine);
    }

    private static EncodedHistogram coarse(Coarsening coarsening, EncodedHistogram fine) {
        byte[] bytes = coarsening.of(latencies(fine)).encode();
        return new EncodedHistogram(Base64.getEncoder().encodeToString(bytes));
    }

    private static Latencies latencies(EncodedHistogram histogram) {
        return Latencies.decode(Base64.getDecoder().decode(histogram.text()));
    }
}
