package dev.loomboard.compare;

import dev.loomboard.cell.Jdk;
import dev.loomboard.web.PageTwin;
import java.util.List;

/**
 * Too few builds chosen, or too few there are.
 *
 * @param choices builds with results, newest first
 */
public record ChooserPage(List<Jdk> choices) implements ComparedPage, PageTwin {

    @Override
    public PageTwin twin() {
        return this;
    }

    @Override
    public String template() {
        return "compare/chooser.jte";
    }
}
