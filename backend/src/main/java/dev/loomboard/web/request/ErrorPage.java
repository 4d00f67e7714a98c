package dev.loomboard.web.request;

import dev.loomboard.web.Page;
import dev.loomboard.web.Problem;
import org.jspecify.annotations.Nullable;

/** A problem shown to a person: a page, or a fragment where htmx asked for one. */
public record ErrorPage(Problem problem) implements Page {

    @Override
    public String template() {
        return "error.jte";
    }

    @Override
    public @Nullable String fragment() {
        return "_error.jte";
    }
}
