package dev.loomboard.compare;

import dev.loomboard.matching.MultiComparison;
import dev.loomboard.verdict.ComparisonDimension;
import dev.loomboard.web.PageTwin;
import java.util.List;

/** Sides are not chosen yet, or there are too few. */
public record MultiChooserPage(ComparisonDimension subject, List<MultiComparison.Named> choices)
        implements ComparedPage, PageTwin {

    @Override
    public PageTwin twin() {
        return this;
    }

    @Override
    public String template() {
        return "compare/among-chooser.jte";
    }
}
