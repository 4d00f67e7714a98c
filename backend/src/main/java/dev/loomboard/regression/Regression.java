package dev.loomboard.regression;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.cell.CellSettings;
import dev.loomboard.cell.Jdk;
import dev.loomboard.cell.RunState;
import dev.loomboard.cell.ServerVariant;
import dev.loomboard.changepoint.ChangeState;
import dev.loomboard.changepoint.ConfirmedBy;
import dev.loomboard.kernel.Internal;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.retracted.Retracted;
import dev.loomboard.stats.change.SequentialRerun;
import dev.loomboard.stats.paired.Verdict;
import dev.loomboard.verdict.Outcome;
import dev.loomboard.verdict.VerdictText;
import dev.loomboard.view.ColumnFormat;
import dev.loomboard.view.Format;
import dev.loomboard.view.ScenarioText;
import dev.loomboard.view.Sentence;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A change of a series with a build, in whatever state: suspected, confirmed or cleared.
 *
 * @param id external id
 * @param cell what was measured, and where
 * @param series external id of its history
 * @param retracted what it was measured with was found wrong: it is closed, whatever it was; null: it is not retracted
 */
public record Regression(
        Internals internals,
        String id,
        @JsonUnwrapped ChangeState state,
        @JsonUnwrapped Triaged triaged,
        Cell cell,
        String metric,
        String series,
        @JsonUnwrapped Shift shift,
        @JsonUnwrapped Evidence evidence,
        @Nullable Retracted retracted,
        String methodology) {

    /**
     * What JSON leaves out.
     *
     * @param ownerId external id of the account; null: nobody looks after it
     * @param reruns whether the machine's owners let suspects be rerun by themselves
     */
    record Internals(
            long key, WorkspaceId workspaceKey, @Nullable String ownerId, boolean reruns) implements Internal {}

    /**
     * What people say of it, once it is confirmed and worse.
     *
     * @param ownerName null: nobody looks after it
     */
    public record Triaged(TriageState triage, @Nullable String ownerName) {}

    /**
     * Two levels and the builds they were measured on.
     *
     * @param good newest build that is surely of the level before
     * @param build first build of the new level
     * @param run external id of the run that first measured the new level; null: that point is no more
     * @param before mean of the level before in the metric's unit
     * @param after of the new level
     * @param p of the detector: says that something is there, not that it is confirmed
     */
    public record Shift(Jdk good, Jdk build, @Nullable String run, double before, double after, double p) {

        /** The lineages differ: it is a difference of the distribution, not of the JDK. */
        public boolean distribution() {
            return !good.lineageHash().equals(build.lineageHash());
        }
    }

    /**
     * What decides about it.
     *
     * @param rerun null: none was made, or the caller may not see it
     * @param rerunReason why there was no rerun, or what it said; null: it has not been decided
     * @param rerunFurther blocks that the next look at the rerun needs; null: none is due
     * @param rerunAwaits it waits until its machine has both builds again
     * @param control a build that stayed and ran beside; null: it was not looked for
     * @param screened what the nightly screen saw; null: the detector raised it
     */
    public record Evidence(
            @Nullable Look look,
            @Nullable Rerun rerun,
            @Nullable String rerunReason,
            @Nullable Integer rerunFurther,
            boolean rerunAwaits,
            @Nullable HostControl control,
            @Nullable Screened screened) {}

    /** What was measured, and where. */
    public record Cell(
            @JsonUnwrapped ServerVariant server,
            String scenarioKey,
            @JsonUnwrapped CellSettings settings,
            String workspace,
            String machine,
            String machineName) {

        public ScenarioText scenario() {
            return ScenarioText.of(scenarioKey);
        }

        /** Its workspace, a slash, its name. */
        String machineAddress() {
            return workspace + "/" + machine;
        }
    }

    /**
     * The one look at its history.
     *
     * @param change after against before: a ratio − 1 on the ln scale, else in the metric's unit
     * @param p null: too few points that are independent
     * @param reason why it did not confirm; null: it did
     */
    public record Look(
            Instant at,
            @Nullable Double change,
            @Nullable Double p,
            @Nullable String reason) {}

    /**
     * The run in which both builds took turns: the newest look.
     *
     * @param trials planned, of all its cells
     * @param seconds that they take at most, roughly
     * @param familySize of its declared tests; null, as the outcome: none answers this one, or it is not over
     * @param outcome of the blocks of all looks up to it
     */
    public record Rerun(
            String run,
            RunState state,
            @Nullable Integer trials,
            @Nullable Double seconds,
            @Nullable Integer familySize,
            @Nullable Outcome outcome) {

        /** What it costs, in words; empty: not known. */
        public String cost() {
            return trials == null || seconds == null ? "" : Format.cost(trials, seconds);
        }

        public boolean over() {
            return state.isOver();
        }

        /** It gave no verdict, or is open and not all of its looks have been made. */
        boolean mayGoOn() {
            if (outcome == null || outcome.verdict() == null) {
                return true;
            }
            Integer look = outcome.looked().look();
            return outcome.verdict() == Verdict.INCONCLUSIVE
                    && look != null
                    && SequentialRerun.further(look, outcome.blocks()) > 0;
        }
    }

    public long key() {
        return internals.key();
    }

    public WorkspaceId workspaceKey() {
        return internals.workspaceKey();
    }

    /** Null: nobody looks after it. */
    public @Nullable String ownerId() {
        return internals.ownerId();
    }

    public Jdk good() {
        return shift.good();
    }

    public Jdk build() {
        return shift.build();
    }

    public @Nullable Rerun rerun() {
        return evidence.rerun();
    }

    /** Confirmed and worse: what people deal with. */
    public boolean regression() {
        return state.confirmed() && state.worse();
    }

    /**
     * No rerun has interleaved both builds, and none will start by itself: its owners may ask for one, or for the
     * looks that one lacks which was cut short.
     */
    public boolean mayBeRerun() {
        Rerun rerun = rerun();
        boolean wanted = regression() || state.suspected() && rerun != null;
        return wanted
                && retracted == null
                && shift.run() != null
                && evidence.rerunFurther() == null
                && (rerun == null || rerun.over() && rerun.mayGoOn())
                && !good().slug().equals(build().slug());
    }

    /** What a rerun of both builds showed of the change; null: none has shown it. */
    public @Nullable Outcome shownByRerun() {
        Rerun rerun = rerun();
        Outcome outcome = rerun == null ? null : rerun.outcome();
        return outcome != null && outcome.verdict() != null && outcome.verdict().differs() ? outcome : null;
    }

    public Metric catalogued() {
        return Metrics.all().get(metric);
    }

    /** Where its history is written: one unit and number of digits for both levels. */
    public String levels() {
        double before = shift.before();
        double after = shift.after();
        ColumnFormat scale = ColumnFormat.of(catalogued().unit(), Arrays.asList(before, after));
        String change = before == 0 ? "" : " (" + Format.change(after / before) + ")";
        return scale.text(before) + " → " + scale.text(after) + " " + scale.unit() + change;
    }

    /** What the rerun found; null: nothing yet. */
    public @Nullable VerdictText rerunVerdict() {
        Rerun rerun = rerun();
        return rerun == null || rerun.outcome() == null || rerun.familySize() == null
                ? null
                : new VerdictText(rerun.outcome(), rerun.familySize());
    }

    /** The rerun's 95 % interval as changes; null: it has none. */
    public @Nullable String interval() {
        Rerun rerun = rerun();
        Outcome outcome = rerun == null ? null : rerun.outcome();
        return outcome == null
                        || outcome.found().low() == null
                        || outcome.found().high() == null
                ? null
                : Format.change(outcome.found().low()) + " to "
                        + Format.change(outcome.found().high());
    }

    /** How sure it is, in a few words. */
    public String sureness() {
        if (retracted != null) {
            return Retracted.STANDING;
        }
        return switch (state.status()) {
            case CONFIRMED ->
                state.confirmedBy() == ConfirmedBy.RERUN ? "confirmed by rerun" : "confirmed by history and control";
            case CLEARED -> "cleared";
            case SUSPECT -> suspected();
        };
    }

    /** The nightly screen raised it, and the detector does not report it. */
    public @Nullable Screened onlyScreened() {
        return state.reported() ? null : evidence.screened();
    }

    private String suspected() {
        Rerun rerun = rerun();
        boolean open = rerun != null && rerun.over() && evidence.rerunFurther() == null;
        if (onlyScreened() != null) {
            boolean waits = rerun == null && evidence.rerunReason() == null;
            return open ? "open, raised by the nightly screen" : waits ? "screened, waiting for a rerun" : "screened";
        }
        return (open ? "open" : "suspected") + (state.reported() ? "" : ", no longer detected");
    }

    /** What is known of the rerun, in one sentence. */
    public String rerunWords() {
        Rerun rerun = rerun();
        if (evidence.rerunReason() != null) {
            return Sentence.of(evidence.rerunReason());
        }
        if (evidence.rerunAwaits()) {
            return "Waiting for its builds: the machine lacks one of the two, and its JDK provider has a day to bring it again.";
        }
        if (rerun == null && !state.suspected()) {
            return "No rerun: the history already gave a result.";
        }
        if (rerun == null && retracted != null) {
            return "No rerun: the results behind this change are retracted.";
        }
        if (rerun == null && internals.reruns() && onlyScreened() != null) {
            return "Waiting for a rerun. Reruns are limited to 8 hours a day; the largest increases run first.";
        }
        if (rerun == null) {
            return internals.reruns()
                    ? "Waiting for a rerun. It starts when the machine has no run of that night and no other rerun left."
                    : "No rerun: the owners of the machine switched reruns off, so its history relative to a control decides.";
        }
        String cost = rerun.cost().isEmpty() ? "" : ": " + rerun.cost();
        return "The rerun is " + rerun.state().wire() + cost + ".";
    }

    /** What came of the one look at its history, which alone confirms nothing. */
    public String lookWords() {
        Look look = evidence.look();
        if (look == null) {
            return "";
        }
        if (look.reason() != null) {
            return "does not confirm it: " + look.reason();
        }
        String p = look.p() == null ? "" : ", p " + Format.p(look.p());
        return state.confirmedBy() == ConfirmedBy.HISTORY
                ? "shifted" + p + ", and confirmed relative to a control"
                : "shifted" + p + ", not attributed: a control or a rerun must show whether the host changed";
    }

    /** What a control says of it, or that there is none. */
    public String controlWords() {
        if (evidence.control() != null) {
            return evidence.control().sentence();
        }
        return state.confirmed()
                ? "No control was looked for yet."
                : "No control was looked for: only changes that are confirmed or that shifted their history need one.";
    }

    /** Such as "CPU per request of spring-mvc virtual is worse on 28-ea+18". */
    public String headline() {
        return catalogued().title() + " of " + cell.server().name() + " "
                + cell.server().variant() + " is " + state.direction().wire() + " on " + build().shortVersion();
    }
}
