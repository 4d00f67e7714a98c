package dev.loomboard.openid;

import dev.loomboard.web.Page;

/**
 * The last page before the provider: a link, since browsers do not let the answer to a form lead to another site.
 *
 * @param to the provider's address
 */
public record OpenIdDeparturePage(String provider, String to) implements Page {
    @Override
    public String template() {
        return "openid/departure.jte";
    }
}
