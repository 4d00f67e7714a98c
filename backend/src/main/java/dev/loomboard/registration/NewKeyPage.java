package dev.loomboard.registration;

import dev.loomboard.web.Page;

/**
 * A new key of a machine, right after it was made: it is not kept and cannot be shown again.
 *
 * @param command the line to paste on the machine
 */
public record NewKeyPage(String workspace, String slug, String name, String command, KeyState keys) implements Page {
    @Override
    public String template() {
        return "machine/newkey.jte";
    }
}
