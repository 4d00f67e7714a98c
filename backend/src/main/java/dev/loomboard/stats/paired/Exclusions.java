package dev.loomboard.stats.paired;

import java.util.Optional;
import org.apache.commons.statistics.distribution.HypergeometricDistribution;

/**
 * Trials that were invalid, failed or never steady, of all that were begun, on each side. They are an outcome: what
 * one side loses its worst trials to, the other has in its mean.
 */
public record Exclusions(int baseline, int ofBaseline, int candidate, int ofCandidate) {

    private static final double UNLIKELY = 0.05;
    /** With few trials no test can decide; a difference of more than a quarter of them is always too much. */
    private static final double TOO_MUCH = 0.25;

    public Exclusions {
        if (baseline < 0 || candidate < 0 || baseline > ofBaseline || candidate > ofCandidate) {
            throw new IllegalArgumentException("excluded must be from 0 to all, are %d of %d and %d of %d"
                    .formatted(baseline, ofBaseline, candidate, ofCandidate));
        }
    }

    /** Why there can be no verdict; empty: both sides lost alike. */
    public Optional<String> asymmetry() {
        if (ofBaseline == 0 || ofCandidate == 0) {
            return Optional.empty();
        }
        double difference = StrictMath.abs((double) baseline / ofBaseline - (double) candidate / ofCandidate);
        if (difference <= TOO_MUCH && fisher() >= UNLIKELY) {
            return Optional.empty();
        }
        return Optional.of("%d of %d trials of the baseline and %d of %d of the candidate were excluded"
                .formatted(baseline, ofBaseline, candidate, ofCandidate));
    }

    /** Two-sided p of Fisher's exact test: of all tables with these sums, those that are no likelier. */
    public double fisher() {
        HypergeometricDistribution tables =
                HypergeometricDistribution.of(ofBaseline + ofCandidate, baseline + candidate, ofBaseline);
        double observed = tables.probability(baseline);
        double p = 0;
        for (int k = tables.getSupportLowerBound(); k <= tables.getSupportUpperBound(); k++) {
            double probability = tables.probability(k);
            p += probability <= observed * (1 + 1e-9) ? probability : 0; // equal tables differ in the last bits
        }
        return StrictMath.min(1, p);
    }
}
