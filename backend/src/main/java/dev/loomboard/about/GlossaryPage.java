package dev.loomboard.about;

import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.web.Page;
import dev.loomboard.web.PageTwin;
import java.util.List;

/** The terms of the glossary, and the metric catalogue. */
public record GlossaryPage(List<Glossary.Term> terms, List<Metric> metrics) implements Page, PageTwin {

    static GlossaryPage ofTheFiles() {
        return new GlossaryPage(Glossary.terms(), Metrics.all().list());
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
