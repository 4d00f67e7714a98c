package dev.loomboard.stats.paired;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.loomboard.stats.Better;
import dev.loomboard.stats.Margin;
import java.util.Locale;

/** Of a candidate against its baseline; faster is better, of memory as of time. Of the share of hits that failed it has words of its own. */
public enum Verdict {
    @JsonProperty("faster")
    FASTER,
    @JsonProperty("slower")
    SLOWER,
    @JsonProperty("fails less")
    FAILS_LESS,
    @JsonProperty("fails more")
    FAILS_MORE,
    /** Any difference is smaller than matters. */
    @JsonProperty("equivalent")
    EQUIVALENT,
    @JsonProperty("inconclusive")
    INCONCLUSIVE;

    /** As tables, JSON and pages write it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    public static Verdict of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT).replace(' ', '_'));
    }

    /** With the sides exchanged. */
    public Verdict turned() {
        return switch (this) {
            case FASTER -> SLOWER;
            case SLOWER -> FASTER;
            case FAILS_LESS -> FAILS_MORE;
            case FAILS_MORE -> FAILS_LESS;
            case EQUIVALENT, INCONCLUSIVE -> this;
        };
    }

    /** The same of a share of hits that failed. */
    public Verdict ofFailures() {
        return switch (this) {
            case FASTER -> FAILS_LESS;
            case SLOWER -> FAILS_MORE;
            default -> this;
        };
    }

    /** Whether it says that the sides differ. */
    public boolean differs() {
        return this != EQUIVALENT && this != INCONCLUSIVE;
    }

    /** Of the effect, with the p that its family leaves it ({@code /methodology#verdict}). */
    public static Verdict of(Effect effect, Better better, Margin margin, double adjustedP) {
        if (differs(effect, margin, adjustedP)) {
            boolean lower = effect.difference() < 0;
            return lower == (better == Better.LOWER) ? FASTER : SLOWER;
        }
        double least = margin.between(effect.baseline(), effect.candidate());
        return StrictMath.abs(effect.difference()) + effect.halfOfEquivalence() <= least ? EQUIVALENT : INCONCLUSIVE;
    }

    /** Whether it is faster or slower. */
    public static boolean differs(Effect effect, Margin margin, double adjustedP) {
        double size = StrictMath.abs(effect.difference());
        return adjustedP < Judgement.ALPHA && size > 0 && size >= margin.between(effect.baseline(), effect.candidate());
    }
}
