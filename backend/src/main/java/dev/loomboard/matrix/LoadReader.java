package dev.loomboard.matrix;

import dev.loomboard.cell.CanonicalText;
import dev.loomboard.cell.Load;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Loads and phases that end by a criterion, with their defaults: the same as the agent's, see matrix-cases.json. */
final class LoadReader {

    static final List<String> PROFILES = List.of("constant", "poisson", "steps", "ramp", "search", "closed", "batch");

    /** Those that a step's summary has. */
    private static final Set<Double> QUANTILES = Set.of(0.5, 0.9, 0.95, 0.99, 0.999);

    private static final List<String> FIXED_TIMES = List.of("warmup", "settleSeconds", "rewarmSeconds");
    private static final int MAX_HITS = 10_000_000;
    private static final int MAX_RESPONSE_MS = 300_000;
    /** What the agent's load process opens at most. */
    private static final int MAX_CONNECTIONS = 16_384;

    private LoadReader() {}

    static Load search(Fields f) {
        return new Load.Search(
                f.number("start", 0, MatrixReader.MAX_RATE),
                f.numberOr("maxRate", 50_000, 0, MatrixReader.MAX_RATE),
                f.number("seconds", 0, MatrixReader.MAX_SECONDS),
                f.numberOr("discardSeconds", 5, 0, MatrixReader.MAX_SECONDS),
                f.numberOr("precision", 0.03, 0, 0.5),
                f.whole("confirmations", 3, 1, 20),
                f.numberOr("confirmSeconds", 60, 0, MatrixReader.MAX_SECONDS),
                f.whole("maxSteps", 40, 1, 200),
                f.whole("curveSteps", 10, 1, 20),
                objective(f.child("objective")));
    }

    private static Load.Search.Objective objective(Fields f) {
        var objective = new Load.Search.Objective(
                f.numberOr("quantile", 0.99, 0, 1),
                f.number("responseMs", 0, MAX_RESPONSE_MS),
                f.numberOr("success", 1, 0, 1),
                f.numberOr("achieved", 0.99, 0, 1));
        if (!QUANTILES.contains(objective.quantile())) {
            f.refuse(
                    "quantile",
                    "must be 0.5, 0.9, 0.95, 0.99 or 0.999, is: " + CanonicalText.number(objective.quantile()));
        }
        f.noOthers();
        return objective;
    }

    static Load closed(Fields f) {
        int connections = 1;
        if (f.has("connections")) {
            connections = f.whole("connections", 1, 1, MAX_CONNECTIONS);
        } else {
            f.refuse("connections", "is missing");
        }
        return new Load.Closed(connections, f.number("seconds", 0, MatrixReader.MAX_SECONDS));
    }

    static Load batch(Fields f) {
        return new Load.Batch(f.whole("preRuns", 2, 1, 100), f.whole("runs", 10, 1, 1000));
    }

    static Phases.@Nullable Adaptive adaptive(Fields phases) {
        if (!phases.has("adaptive")) {
            return null;
        }
        for (String name : FIXED_TIMES) {
            if (phases.has(name)) {
                phases.refuse(name, "must be left out: the phases are adaptive");
            }
        }
        Fields f = phases.child("adaptive");
        var adaptive = new Phases.Adaptive(
                f.has("rate") ? f.number("rate", 0, MatrixReader.MAX_RATE) : null,
                f.whole("leastSeconds", 20, 1, MatrixReader.MAX_SECONDS),
                f.whole("hits", 20_000, 1, MAX_HITS),
                f.whole("segmentSeconds", 20, 5, MatrixReader.MAX_SECONDS),
                f.whole("quietSeconds", 10, 1, MatrixReader.MAX_SECONDS),
                f.numberOr("capSeconds", 120, 0, MatrixReader.MAX_SECONDS),
                f.numberOr("settleCapSeconds", 60, 0, MatrixReader.MAX_SECONDS),
                f.numberOr("rewarmCapSeconds", 30, 0, MatrixReader.MAX_SECONDS));
        f.noOthers();
        return adaptive;
    }

    /** A warm-up at a rate where there are connections alone. */
    static void checkClosed(Fields f, MatrixSpec spec) {
        if (spec.scenarios().stream().noneMatch(s -> s.load() instanceof Load.Closed)) {
            return;
        }
        String why = "must be left out: a scenario is closed, which warms up by its own connections";
        List<Phases.Warmup> warmup = spec.phases().warmup();
        for (int i = 0; i < warmup.size(); i++) {
            if (warmup.get(i).rate() != null) {
                f.refuse("phases.warmup[" + i + "].rate", why);
            }
        }
        Phases.Adaptive adaptive = spec.phases().adaptive();
        if (adaptive != null && adaptive.rate() != null) {
            f.refuse("phases.adaptive.rate", why);
        }
    }

    /** A warm-up by requests where there are none. */
    static void checkBatch(Fields f, MatrixSpec spec) {
        boolean batch = spec.scenarios().stream().anyMatch(s -> s.load() instanceof Load.Batch);
        Phases p = spec.phases();
        if (batch && (!p.warmup().isEmpty() || p.rewarmSeconds() > 0 || p.adaptive() != null)) {
            f.refuse("phases", "must not warm up by requests: a scenario is a batch, which warms up by its preRuns");
        }
    }
}
