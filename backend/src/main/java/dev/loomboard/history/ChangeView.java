package dev.loomboard.history;

import com.fasterxml.jackson.annotation.JsonIncludeProperties;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.cell.Jdk;
import dev.loomboard.changepoint.ChangeState;
import dev.loomboard.changepoint.ConfirmedBy;
import dev.loomboard.jdk.SourceChanges;
import dev.loomboard.kernel.Internal;
import dev.loomboard.retracted.Retracted;
import dev.loomboard.stats.paired.Verdict;
import dev.loomboard.view.Format;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.annotation.JsonSerialize;

/**
 * A change point as a page shows it; see the table of the name. Builds are slugs, runs external ids.
 *
 * @param id external id
 * @param build it came with
 * @param good newest that is surely of the level before
 */
public record ChangeView(
        Keys keys,
        String id,

        @JsonSerialize(converter = Jdk.ToWireNames.class)
        @JsonIncludeProperties({"slug", "feature", "runtimeVersion", "availability"})
        Jdk build,

        @JsonSerialize(converter = Jdk.ToWireNames.class)
        @JsonIncludeProperties({"slug", "feature", "runtimeVersion", "availability"})
        Jdk good,

        String run,
        Instant measuredAt,
        @JsonUnwrapped Level level,
        @JsonUnwrapped ChangeState decision,
        @JsonUnwrapped Evidence evidence,
        @JsonUnwrapped Cause cause) {

    /**
     * @param series that it is of
     * @param point the first of the new level
     */
    record Keys(long series, long point) implements Internal {}

    /**
     * How the level moved.
     *
     * @param before mean of the level before, in the catalogue's unit
     * @param after of the new one
     * @param p of the detector
     */
    public record Level(double before, double after, double p) {}

    /**
     * What is known beyond the detector.
     *
     * @param rerun null: none, or one that the caller may not see; then all of it is
     * @param retracted null: the versions it was measured with are not retracted
     */
    public record Evidence(
            @Nullable Look history,
            @Nullable Rerun rerun,
            @Nullable String rerunReason,
            @Nullable Retracted retracted) {}

    /**
     * Whether the JDK may have caused it.
     *
     * @param ofTheBuild a build begins there; else the level moved while the build stayed
     * @param distribution the two builds' lineages differ: then it is the distribution's, not the JDK's
     */
    public record Cause(boolean ofTheBuild, boolean distribution) {}

    /**
     * The one look at its history.
     *
     * @param p null: too few independent points
     * @param reason why it did not confirm
     */
    public record Look(
            Instant at,
            double change,
            @Nullable Double p,
            @Nullable String reason) {}

    /** What the builds that took turns showed: a ratio on the ln scale with its 95 % interval. */
    public record Rerun(
            String run,
            @Nullable Verdict verdict,
            @Nullable Double effect,
            @Nullable Double low,
            @Nullable Double high) {

        /** The same of the new build, when that was the baseline: of two builds of one version the names decide. */
        Rerun turned() {
            return new Rerun(
                    run, verdict == null ? null : verdict.turned(), inverse(effect), inverse(high), inverse(low));
        }

        private static @Nullable Double inverse(@Nullable Double ratio) {
            return ratio == null ? null : Double.valueOf(1 / ratio);
        }
    }

    public @Nullable Retracted retracted() {
        return evidence.retracted();
    }

    /** What it is, in a word or two, and how it came to be that. */
    public String state() {
        if (retracted() != null) {
            return Retracted.STANDING;
        }
        ConfirmedBy by = decision.confirmedBy();
        return switch (decision.status()) {
            case SUSPECT -> decision.reported() ? "suspect" : "suspect, no longer detected";
            case CONFIRMED, CLEARED ->
                decision.status().wire()
                        + (by == null ? "" : by == ConfirmedBy.RERUN ? " by rerun" : " by its history");
        };
    }

    /** Of the level's mean; it says how far the points moved, not how sure that is. */
    public String change() {
        return level.before() == 0 ? "from 0" : Format.change(level.after() / level.before());
    }

    /** What is known besides what the detector found. */
    public List<String> known() {
        List<String> known = new ArrayList<>();
        Retracted retracted = evidence.retracted();
        Rerun rerun = evidence.rerun();
        Look history = evidence.history();
        if (retracted != null) {
            known.add(retracted.words());
        }
        if (rerun != null && rerun.effect() != null && rerun.low() != null && rerun.high() != null) {
            known.add("rerun: " + Format.change(rerun.effect()) + " (95 % interval " + Format.change(rerun.low())
                    + " to " + Format.change(rerun.high()) + ")");
        }
        if (evidence.rerunReason() != null) {
            known.add("rerun: " + evidence.rerunReason());
        }
        if (history != null) {
            known.add("history: " + Format.change(1 + history.change())
                    + (history.p() == null ? "" : ", p " + Format.p(history.p()))
                    + (history.reason() != null
                            ? ", not confirmed: " + history.reason()
                            : decision.confirmedBy() == ConfirmedBy.HISTORY ? "" : ", not attributed"));
        }
        if (known.isEmpty()) {
            known.add("only the detector, p " + Format.p(level.p()));
        }
        return known;
    }

    /** What OpenJDK's sources changed between the two builds; null: nothing names it, or the build stayed. */
    public @Nullable SourceChanges sources() {
        return cause.ofTheBuild() ? SourceChanges.between(good, build) : null;
    }

    /** Why it may not be the JDK's doing; null: it may. */
    public @Nullable String doubt() {
        if (!cause.ofTheBuild()) {
            return "the level changed on the same build, so the JDK is not the cause";
        }
        return cause.distribution()
                ? "the two builds have different lineages: a difference of the distribution, not only of the JDK"
                : null;
    }
}
