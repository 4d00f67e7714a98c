package dev.loomboard.matrix;

import dev.loomboard.scenario.CanonicalText;
import dev.loomboard.scenario.Load;
import dev.loomboard.web.Problem.FieldError;
import java.util.List;

/** What the agents' load core refuses, so that it is refused when a matrix is saved and not when its trials begin. */
final class AttackLimits {

    /** Hits per second; rates are rounded to it. */
    private static final double LEAST_RATE = 0.001;
    /** Hits per second. */
    private static final int MAX_RATE = 50_000;
    /** Of one attack. */
    private static final int MOST_HITS = 20_000_000;

    private AttackLimits() {}

    /** A ramp is checked at all of its steps, a search at the first, since it goes on to rates that it finds. */
    static void check(String field, Load load, List<FieldError> problems) {
        switch (load) {
            case Load.Constant l -> hits(field, l.rate(), l.seconds(), problems);
            case Load.Poisson l -> hits(field, l.rate(), l.seconds(), problems);
            case Load.Steps l ->
                l.rates().stream()
                        .filter(rate -> !possible(rate, l.seconds()))
                        .findFirst()
                        .ifPresent(rate -> hits(field, rate, l.seconds(), problems));
            case Load.Ramp l -> ramp(field, l, problems);
            case Load.Search l -> hits(field, l.start(), l.seconds(), problems);
            case Load.Closed _, Load.Batch _ -> {}
        }
    }

    private static void ramp(String field, Load.Ramp ramp, List<FieldError> problems) {
        double last = ramp.start() + (ramp.maxSteps() - 1) * ramp.step();
        if (last > MAX_RATE) {
            problems.add(new FieldError(
                    field + ".maxSteps",
                    "leads to " + CanonicalText.number(last) + " hits/s, " + MAX_RATE + " are the most"));
        } else {
            hits(field, possible(ramp.start(), ramp.seconds()) ? last : ramp.start(), ramp.seconds(), problems);
        }
    }

    /** An attack of less than a hit, of more than one may have, or at a rate that rounds to nothing. */
    static void hits(String field, double rate, double seconds, List<FieldError> problems) {
        if (!possible(rate, seconds)) {
            problems.add(new FieldError(
                    field + ".seconds",
                    "at " + CanonicalText.number(rate) + " hits/s are " + CanonicalText.number(rate * seconds)
                            + " hits, must be 1 to " + MOST_HITS + ", at " + LEAST_RATE + " hits/s or more"));
        }
    }

    private static boolean possible(double rate, double seconds) {
        double hits = rate * seconds;
        return rate >= LEAST_RATE && hits >= 1 && hits <= MOST_HITS;
    }
}
