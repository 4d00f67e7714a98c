package dev.loomboard.inbox;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.bisection.BisectionAnswer;
import dev.loomboard.bisection.BisectionView;
import dev.loomboard.changepoint.ChangeState;
import dev.loomboard.regression.HostControl;
import dev.loomboard.regression.Regression;
import dev.loomboard.regression.TriageState;
import dev.loomboard.retracted.Retracted;
import dev.loomboard.stats.paired.Verdict;
import dev.loomboard.verdict.Outcome;
import dev.loomboard.web.Urls;
import org.jspecify.annotations.Nullable;

/** A change for scripts, as {@code api/v1.yaml} promises it. */
record RegressionAnswer(
        String id,
        String url,
        @JsonUnwrapped ChangeState state,
        @Nullable TriageState triage,
        @JsonUnwrapped Measured measured,
        @JsonUnwrapped Levels levels,
        @JsonUnwrapped Rerun rerun,
        @Nullable HostControl control,
        @Nullable BisectionAnswer bisection,
        @Nullable Retracted retracted,
        String methodology) {

    /** @param machine its name in addresses */
    record Measured(
            String scenario,
            String server,
            String variant,
            String collector,
            String machine,
            String metric,
            String unit) {}

    record Levels(String goodBuild, String build, boolean distribution, double before, double after) {}

    /** All but the reason null: there was none, or it has no verdict. */
    record Rerun(
            @Nullable String rerun,
            @Nullable Verdict verdict,
            @Nullable Double effect,
            @Nullable Double low,
            @Nullable Double high,
            @Nullable Double adjustedP,
            @Nullable String rerunReason,
            @Nullable Integer rerunFurther) {

        static Rerun of(Regression.Evidence evidence) {
            Regression.Rerun rerun = evidence.rerun();
            Outcome outcome = rerun == null ? null : rerun.outcome();
            return new Rerun(
                    rerun == null ? null : rerun.run(),
                    outcome == null ? null : outcome.verdict(),
                    outcome == null ? null : outcome.found().effect(),
                    outcome == null ? null : outcome.found().low(),
                    outcome == null ? null : outcome.found().high(),
                    outcome == null ? null : outcome.decision().adjustedP(),
                    evidence.rerunReason(),
                    evidence.rerunFurther());
        }
    }

    /** @param bisection null: none was made */
    static RegressionAnswer of(Regression r, @Nullable BisectionView bisection) {
        Regression.Cell cell = r.cell();
        Regression.Shift shift = r.shift();
        return new RegressionAnswer(
                r.id(),
                Urls.regression(r.id()),
                r.state(),
                r.regression() ? r.triaged().triage() : null,
                new Measured(
                        cell.scenarioKey(),
                        cell.server().name(),
                        cell.server().variant(),
                        cell.settings().collector(),
                        cell.machine(),
                        r.metric(),
                        r.catalogued().unit()),
                new Levels(
                        shift.good().slug(), shift.build().slug(), shift.distribution(), shift.before(), shift.after()),
                Rerun.of(r.evidence()),
                r.evidence().control(),
                bisection == null ? null : BisectionAnswer.of(bisection),
                r.retracted(),
                r.methodology());
    }
}
