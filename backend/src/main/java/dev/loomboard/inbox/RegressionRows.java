package dev.loomboard.inbox;

import dev.loomboard.changepoint.ChangeState;
import dev.loomboard.kernel.WireName;
import dev.loomboard.regression.Regression;
import dev.loomboard.retracted.Retracted;
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
        ChangeState state = a.state();
        RegressionAnswer.Measured measured = a.measured();
        RegressionAnswer.Levels levels = a.levels();
        RegressionAnswer.Rerun rerun = a.rerun();
        Retracted retracted = a.retracted();
        return Arrays.asList(
                a.id(),
                wire(state.status()),
                wire(state.direction()),
                wire(state.confirmedBy()),
                wire(a.triage()),
                state.reported(),
                measured.scenario(),
                measured.server(),
                measured.variant(),
                measured.collector(),
                measured.machine(),
                measured.metric(),
                levels.goodBuild(),
                levels.build(),
                levels.before(),
                levels.after(),
                rerun.rerun(),
                rerun.verdict() == null ? null : rerun.verdict().word(),
                rerun.effect(),
                rerun.low(),
                rerun.high(),
                rerun.adjustedP(),
                rerun.rerunReason(),
                retracted == null ? null : retracted.words(),
                state.detectedAt(),
                state.decidedAt());
    }

    private static @Nullable String wire(@Nullable WireName of) {
        return of == null ? null : of.wire();
    }
}
