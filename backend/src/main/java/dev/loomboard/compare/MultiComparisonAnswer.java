package dev.loomboard.compare;

import dev.loomboard.matching.MultiComparison;
import dev.loomboard.verdict.ComparisonDimension;
import dev.loomboard.web.Urls;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Two sides that are no builds for scripts, as {@code api/v1.yaml} promises it.
 *
 * @param url path of the page that shows the same
 * @param tests one per cell and metric that both sides have, verdicts first, by adjusted p
 */
record MultiComparisonAnswer(
        String url, ComparisonDimension axis, String baseline, String candidate, List<ComparisonAnswer.Test> tests) {

    static MultiComparisonAnswer of(MultiComparison sides, @Nullable String scenario) {
        String baseline = sides.baseline().value();
        String candidate = sides.against().getFirst().candidate().value();
        return new MultiComparisonAnswer(
                Urls.compareAmong(sides.subject().wire(), baseline, candidate),
                sides.subject(),
                baseline,
                candidate,
                ComparisonAnswer.tests(sides.pairs(), scenario));
    }
}
