package dev.loomboard.about;

import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.stats.Eligibility;
import dev.loomboard.web.Page;
import java.util.List;

/**
 * How numbers are made. Parameters are those that the code decides by.
 *
 * @param hitsBeyond that a percentile needs to be judged
 * @param episodes that these hits must come from
 * @param headline metrics that comparisons are declared on, with their margins
 */
public record MethodologyPage(int hitsBeyond, int episodes, List<Metric> headline) implements Page {

    static MethodologyPage ofTheCode() {
        return new MethodologyPage(
                Eligibility.LEAST_BEYOND,
                Eligibility.LEAST_EPISODES,
                Metrics.all().list().stream().filter(Metric::headline).toList());
    }

    @Override
    public String template() {
        return "about/methodology.jte";
    }
}
