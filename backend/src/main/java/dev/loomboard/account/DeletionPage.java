package dev.loomboard.account;

import dev.loomboard.web.FormState;
import dev.loomboard.web.Page;
import java.util.List;

/**
 * What deleting one's account does, and the form for it.
 *
 * @param reasons why it cannot be deleted yet; empty: it can
 */
public record DeletionPage(List<String> reasons, FormState form) implements Page {
    public DeletionPage {
        reasons = List.copyOf(reasons);
    }

    @Override
    public String template() {
        return "account/delete.jte";
    }
}
