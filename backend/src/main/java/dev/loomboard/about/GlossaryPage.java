package dev.loomboard.about;

import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.web.Page;
import dev.loomboard.web.PageTwin;
import java.util.List;

/** The metric catalogue, printed. */
public record GlossaryPage(List<Metric> metrics) implements Page, PageTwin {

    static GlossaryPage ofCatalogue() {
        return new GlossaryPage(Metrics.all().list());
    }

    public List<Metric> ofTrials() {
        return metrics.stream().filter(Metric::ofTrial).toList();
    }

    public List<Metric> sampled() {
        return metrics.stream().filter(Metric::sampled).toList();
    }

    public List<Metric> noise() {
        return metrics.stream().filter(Metric::noise).toList();
    }

    @Override
    public String template() {
        return "about/glossary.jte";
    }
}
