package dev.loomboard.outbox;

import dev.loomboard.web.Page;

/**
 * Where the link in a mail leads that ends such mails.
 *
 * @param workspace its name
 * @param path of this page
 * @param ended they end now; false: the page asks first, because programs follow links that people do not
 */
public record UnsubscribePage(String workspace, String path, boolean ended) implements Page {

    @Override
    public String template() {
        return "account/unsubscribe.jte";
    }
}
