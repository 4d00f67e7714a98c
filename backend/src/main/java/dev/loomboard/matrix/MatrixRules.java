package dev.loomboard.matrix;

import dev.loomboard.jdk.JdkSelectors;
import dev.loomboard.scenario.Load;
import dev.loomboard.web.Problem.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What the schema cannot say: of selectors, and of several fields of a matrix together. The agent says the same, see matrix-cases.json. */
final class MatrixRules {

    private static final int MAX_TRIALS = 5_000;

    private final MatrixSpec spec;
    private final List<FieldError> problems = new ArrayList<>();

    private MatrixRules(MatrixSpec spec) {
        this.spec = spec;
    }

    static List<FieldError> problems(MatrixSpec spec) {
        MatrixRules rules = new MatrixRules(spec);
        rules.jdks();
        rules.attacks();
        rules.trials();
        rules.batch();
        rules.closed();
        rules.eachOnce();
        return rules.problems;
    }

    private void jdks() {
        for (int i = 0; i < spec.dimensions().jdks().size(); i++) {
            String field = "jdks[" + i + "]";
            JdkSelectors.problem(spec.dimensions().jdks().get(i)).ifPresent(problem -> refuse(field, problem));
        }
    }

    private void attacks() {
        for (int i = 0; i < spec.dimensions().scenarios().size(); i++) {
            AttackLimits.check(
                    "scenarios[" + i + "].load",
                    spec.dimensions().scenarios().get(i).load(),
                    problems);
        }
        List<Phases.Warmup> warmup = spec.phases().warmup();
        for (int i = 0; i < warmup.size(); i++) {
            Double rate = warmup.get(i).rate();
            if (rate != null) {
                AttackLimits.hits(
                        "phases.warmup[" + i + "]", rate, warmup.get(i).seconds(), problems);
            }
        }
    }

    private void trials() {
        MatrixSpec.Trials trials = spec.trials();
        if (trials.diagnostic() > 0 && spec.phases().diagnostic() == null) {
            refuse("phases.diagnostic", "is missing: trials.diagnostic is " + trials.diagnostic());
        }
        if (trials.further() != null && trials.scored() < MatrixSpec.Trials.LEAST_PILOT) {
            refuse(
                    "trials.further",
                    "needs at least " + MatrixSpec.Trials.LEAST_PILOT
                            + " scored trials a cell, whose spread says who gets further ones");
        }
        if (spec.trialsPerJdk() > MAX_TRIALS) {
            refuse(
                    "(document)",
                    "asks for " + spec.trialsPerJdk() + " trials per JDK, " + MAX_TRIALS + " are the most");
        }
    }

    /** A warm-up by requests where there are none. */
    private void batch() {
        Phases p = spec.phases();
        if (has(Load.Batch.class) && (!p.warmup().isEmpty() || p.rewarmSeconds() > 0 || p.adaptive() != null)) {
            refuse("phases", "must not warm up by requests: a scenario is a batch, which warms up by its preRuns");
        }
    }

    /** A warm-up at a rate where there are connections alone. */
    private void closed() {
        if (!has(Load.Closed.class)) {
            return;
        }
        String why = "must be left out: a scenario is closed, which warms up by its own connections";
        List<Phases.Warmup> warmup = spec.phases().warmup();
        for (int i = 0; i < warmup.size(); i++) {
            if (warmup.get(i).rate() != null) {
                refuse("phases.warmup[" + i + "].rate", why);
            }
        }
        Phases.Adaptive adaptive = spec.phases().adaptive();
        if (adaptive != null && adaptive.rate() != null) {
            refuse("phases.adaptive.rate", why);
        }
    }

    private void eachOnce() {
        if (repeats(spec.dimensions().servers().stream()
                .map(MatrixSpec.Servers::server)
                .toList())) {
            refuse("servers", "must name each server once");
        }
        if (repeats(spec.dimensions().limits())) {
            refuse("limits", "must name each pair of limits once");
        }
        if (repeats(spec.dimensions().delays())) {
            refuse("delays", "must name each pair of delays once");
        }
    }

    private static boolean repeats(List<?> values) {
        return Set.copyOf(values).size() < values.size();
    }

    private boolean has(Class<? extends Load> kind) {
        return spec.dimensions().scenarios().stream().anyMatch(s -> kind.isInstance(s.load()));
    }

    private void refuse(String field, String message) {
        problems.add(new FieldError(field, message));
    }
}
