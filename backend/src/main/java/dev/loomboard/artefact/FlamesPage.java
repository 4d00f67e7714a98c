package dev.loomboard.artefact;

import dev.loomboard.web.Page;

/** Two diagnostic trials' flame graphs as one. */
public record FlamesPage(Flames flames) implements Page {

    @Override
    public String template() {
        return "artefact/flames-page.jte";
    }
}
