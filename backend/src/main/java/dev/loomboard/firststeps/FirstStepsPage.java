package dev.loomboard.firststeps;

import dev.loomboard.web.Page;
import org.jspecify.annotations.Nullable;

/** @param done whether there is a result of the person's workspaces, so that the page need not ask again */
public record FirstStepsPage(FirstSteps steps, boolean done) implements Page {

    @Override
    public String template() {
        return "firststeps/page.jte";
    }

    @Override
    public @Nullable String fragment() {
        return "firststeps/_steps.jte";
    }
}
