package dev.loomboard.jdk;

import dev.loomboard.view.ColumnFormat;
import dev.loomboard.view.ScenarioText;
import dev.loomboard.web.Page;
import dev.loomboard.web.PageTwin;
import java.util.List;

/**
 * One build, what is known of it, and the newest results on it.
 *
 * @param other builds with results to compare it with
 */
public record JdkPage(JdkView build, List<JdkView.Result> results, List<JdkView> others) implements Page {

    public record Twin(JdkView build, List<JdkView.Result> results) implements PageTwin {}

    Twin twin() {
        return new Twin(build, results);
    }

    public ScenarioText scenario(JdkView.Result result) {
        return ScenarioText.of(result.scenarioKey());
    }

    public ColumnFormat p50() {
        return ColumnFormat.of(
                "ms", results.stream().map(result -> result.figures().p50()).toList());
    }

    public ColumnFormat p99() {
        return ColumnFormat.of(
                "ms", results.stream().map(result -> result.figures().p99()).toList());
    }

    @Override
    public String template() {
        return "jdk/jdk.jte";
    }
}
