package dev.loomboard.artefact;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.web.Page;

/** Two diagnostic trials' flame graphs as one. */
public record FlamesPage(@JsonUnwrapped Flames flames) implements Page {

    @Override
    public String template() {
        return "artefact/flames-page.jte";
    }
}
