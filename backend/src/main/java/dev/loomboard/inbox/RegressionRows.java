package dev.loomboard.inbox;

import dev.loomboard.cell.Retracted;
import dev.loomboard.regression.Regression;
import dev.loomboard.stats.Verdict;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Changes as rows of a CSV: what scripts are answered, in columns. */
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
            "retracted",
            "detected_at",
            "decided_at");

    private RegressionRows() {}

    static List<@Nullable Object> row(Regression regression) {
        RegressionAnswer a = RegressionAnswer.of(regression, null);
        Verdict verdict = a.verdict();
        Retracted retracted = a.retracted();
        return Arrays.asList(
                a.id(),
                a.status(),
                a.direction(),
                a.confirmedBy(),
                a.triage(),
                a.standing(),
                a.scenario(),
                a.server(),
                a.variant(),
                a.collector(),
                a.machine(),
                a.metric(),
                a.goodBuild(),
                a.build(),
                a.before(),
                a.after(),
                a.rerun(),
                verdict == null ? null : verdict.word(),
                a.effect(),
                a.low(),
                a.high(),
                a.adjustedP(),
                a.rerunReason(),
                retracted == null ? null : retracted.words(),
                a.detectedAt(),
                a.decidedAt());
    }
}
