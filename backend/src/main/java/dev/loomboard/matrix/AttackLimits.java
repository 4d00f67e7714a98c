package dev.loomboard.matrix;

import dev.loomboard.cell.CanonicalText;
import dev.loomboard.cell.Load;

/** What the agents' load core refuses, so that it is refused when a matrix is saved and not when its trials begin. */
final class AttackLimits {

    /** Hits per second; rates are rounded to it. */
    private static final double LEAST_RATE = 0.001;
    /** Of one attack. */
    private static final int MOST_HITS = 20_000_000;

    private AttackLimits() {}

    /** A ramp is checked at all of its steps, a search at the first, since it goes on to rates that it finds. */
    static void check(Fields f, Load load) {
        switch (load) {
            case Load.Constant l -> hits(f, l.rate(), l.seconds());
            case Load.Poisson l -> hits(f, l.rate(), l.seconds());
            case Load.Steps l ->
                l.rates().stream()
                        .filter(rate -> !possible(rate, l.seconds()))
                        .findFirst()
                        .ifPresent(rate -> hits(f, rate, l.seconds()));
            case Load.Ramp l -> ramp(f, l);
            case Load.Search l -> hits(f, l.start(), l.seconds());
            case Load.Closed _, Load.Batch _ -> {}
        }
    }

    private static void ramp(Fields f, Load.Ramp ramp) {
        double last = ramp.start() + (ramp.maxSteps() - 1) * ramp.step();
        if (last > MatrixReader.MAX_RATE) {
            f.refuse(
                    "maxSteps",
                    "leads to " + CanonicalText.number(last) + " hits/s, " + MatrixReader.MAX_RATE + " are the most");
        } else {
            hits(f, possible(ramp.start(), ramp.seconds()) ? last : ramp.start(), ramp.seconds());
        }
    }

    /** An attack of less than a hit, of more than one may have, or at a rate that rounds to nothing. */
    static void hits(Fields f, double rate, double seconds) {
        if (!possible(rate, seconds)) {
            f.refuse(
                    "seconds",
                    "at " + CanonicalText.number(rate) + " hits/s are " + CanonicalText.number(rate * seconds)
                            + " hits, must be 1 to " + MOST_HITS + ", at " + LEAST_RATE + " hits/s or more");
        }
    }

    private static boolean possible(double rate, double seconds) {
        double hits = rate * seconds;
        return rate >= LEAST_RATE && hits >= 1 && hits <= MOST_HITS;
    }
}
