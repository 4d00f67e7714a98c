package dev.loomboard.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loomboard.cell.TrialKind;
import dev.loomboard.stats.Better;
import org.junit.jupiter.api.Test;

final class MetricTest {

    @Test
    void metric_that_is_judged_has_a_direction() {
        assertThat(Metrics.all().get("response_p99_ms").direction()).isEqualTo(Better.LOWER);
        assertThat(Metrics.all().get("throughput_per_s").direction()).isEqualTo(Better.HIGHER);
        Metric neither = Metrics.all().get("proc.threads");
        assertThatThrownBy(neither::direction).hasMessage("nothing of proc.threads can be better");
    }

    @Test
    void metric_says_which_trials_have_it() {
        assertThat(Metric.TrialKinds.BOTH.has(TrialKind.SCORED)).isTrue();
        assertThat(Metric.TrialKinds.BOTH.has(TrialKind.DIAGNOSTIC)).isTrue();
        assertThat(Metric.TrialKinds.SCORED.has(TrialKind.DIAGNOSTIC)).isFalse();
        assertThat(Metric.TrialKinds.DIAGNOSTIC.has(TrialKind.DIAGNOSTIC)).isTrue();
        assertThat(Metric.TrialKinds.DIAGNOSTIC.has(TrialKind.SCORED)).isFalse();
    }
}
