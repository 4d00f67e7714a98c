package dev.loomboard.account;

import dev.loomboard.credential.ProofAsked;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Page;
import java.util.List;

/**
 * What deleting one's account does, and the form for it.
 *
 * @param reasons why it cannot be deleted yet; empty: it can
 * @param proof what the form asks for
 */
public record DeletionPage(List<String> reasons, ProofAsked proof, FormState form) implements Page {
    public DeletionPage {
        reasons = List.copyOf(reasons);
    }

    @Override
    public String template() {
        return "account/delete.jte";
    }
}
