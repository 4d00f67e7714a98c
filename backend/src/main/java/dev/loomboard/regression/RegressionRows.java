package dev.loomboard.regression;

import dev.loomboard.compare.Outcome;
import dev.loomboard.stats.Verdict;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Changes as rows of a CSV. */
final class RegressionRows {

    static final List<String> HEAD = List.of(
            "id",
            "status",
            "direction",
            "confirmed_by",
            "triage",
            "standing",
            "scenario",
            "server",
            "variant",
            "collector",
            "machine",
            "metric",
            "good_build",
            "build",
            "before",
            "after",
            "rerun",
            "verdict",
            "effect",
            "low",
            "high",
            "adjusted_p",
            "rerun_reason",
            "detected_at",
            "decided_at");

    private RegressionRows() {}

    static List<@Nullable Object> row(Regression r) {
        Regression.Rerun rerun = r.rerun();
        Outcome outcome = rerun == null ? null : rerun.outcome();
        Verdict verdict = outcome == null ? null : outcome.verdict();
        return Arrays.asList(
                r.id(),
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
                r.good().slug(),
                r.build().slug(),
                r.before(),
                r.after(),
                rerun == null ? null : rerun.run(),
                verdict == null ? null : verdict.word(),
                outcome == null ? null : outcome.effect(),
                outcome == null ? null : outcome.low(),
                outcome == null ? null : outcome.high(),
                outcome == null ? null : outcome.adjustedP(),
                r.rerunReason(),
                r.detectedAt(),
                r.decidedAt());
    }
}
