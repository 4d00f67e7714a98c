package dev.loomboard.artefact;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.cell.Jdk;
import dev.loomboard.view.Format;
import dev.loomboard.view.ScenarioText;
import dev.loomboard.web.PageTwin;
import dev.loomboard.web.Urls;
import org.jspecify.annotations.Nullable;

/**
 * The diagnostic trials of two cells, compared.
 *
 * @param difference null: stacks of a side are missing, which {@link Side#missing} says
 */
public record Flames(
        Side baseline, Side candidate, @Nullable FlameDifference difference) {

    /**
     * @param cell external id
     * @param run external id
     * @param trial the diagnostic trial, external id; null: the cell has none that is done
     * @param stacks whether that left any
     */
    public record Side(
            String cell,
            String run,
            String server,
            String variant,
            String scenarioKey,
            Jdk jdk,
            @Nullable String trial,
            boolean stacks) {

        /** Why there is nothing to draw; null: there is. */
        public @Nullable String missing() {
            if (trial == null) {
                return "no finished diagnostic trial";
            }
            return stacks ? null : "its diagnostic trial left no CPU samples";
        }

        public String name() {
            return server + " " + variant + " on " + jdk.shortVersion();
        }

        public ScenarioText scenario() {
            return ScenarioText.of(scenarioKey);
        }
    }

    public record Twin(
            Side baseline, Side candidate, @JsonUnwrapped FlameDifference.@Nullable Twin difference)
            implements PageTwin {}

    Twin twin() {
        return new Twin(baseline, candidate, difference == null ? null : difference.twin());
    }

    /** "+1.30": a difference of shares in percentage points. */
    public static String points(double difference) {
        return (difference > 0 ? "+" : difference < 0 ? "−" : "") + Format.three(100 * Math.abs(difference));
    }

    public String twin(String ending) {
        return Urls.flames(ending, baseline.cell(), candidate.cell());
    }
}
