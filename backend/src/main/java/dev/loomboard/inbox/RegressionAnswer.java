package dev.loomboard.inbox;

import dev.loomboard.bisection.BisectionAnswer;
import dev.loomboard.bisection.BisectionView;
import dev.loomboard.cell.Retracted;
import dev.loomboard.regression.HostControl;
import dev.loomboard.regression.Regression;
import dev.loomboard.stats.Verdict;
import dev.loomboard.verdict.Outcome;
import dev.loomboard.web.Urls;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A change for scripts, as {@code api/v1.yaml} promises it. */
record RegressionAnswer(
        String id,
        String url,
        String status,
        String direction,
        @Nullable String confirmedBy,
        @Nullable String triage,
        boolean standing,
        String scenario,
        String server,
        String variant,
        String collector,
        String machine,
        String metric,
        String unit,
        String goodBuild,
        String build,
        boolean distribution,
        double before,
        double after,
        @Nullable String rerun,
        @Nullable Verdict verdict,
        @Nullable Double effect,
        @Nullable Double low,
        @Nullable Double high,
        @Nullable Double adjustedP,
        @Nullable String rerunReason,
        @Nullable HostControl control,
        @Nullable BisectionAnswer bisection,
        @Nullable Retracted retracted,
        String methodology,
        Instant detectedAt,
        @Nullable Instant decidedAt) {

    /** @param bisected null: none was made */
    static RegressionAnswer of(Regression r, @Nullable BisectionView bisected) {
        Regression.Rerun rerun = r.rerun();
        Outcome outcome = rerun == null ? null : rerun.outcome();
        return new RegressionAnswer(
                r.id(),
                Urls.regression(r.id()),
                r.status(),
                r.direction(),
                r.confirmedBy(),
                r.regression() ? r.triage() : null,
                r.standing(),
                r.cell().scenarioKey(),
                r.cell().server(),
                r.cell().variant(),
                r.cell().collector(),
                r.cell().machine(),
                r.metric(),
                r.catalogued().unit(),
                r.good().slug(),
                r.build().slug(),
                r.distribution(),
                r.before(),
                r.after(),
                rerun == null ? null : rerun.run(),
                outcome == null ? null : outcome.verdict(),
                outcome == null ? null : outcome.effect(),
                outcome == null ? null : outcome.low(),
                outcome == null ? null : outcome.high(),
                outcome == null ? null : outcome.adjustedP(),
                r.rerunReason(),
                r.control(),
                bisected == null ? null : BisectionAnswer.of(bisected),
                r.retracted(),
                r.methodology(),
                r.detectedAt(),
                r.decidedAt());
    }
}
