package dev.loomboard.web;

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
