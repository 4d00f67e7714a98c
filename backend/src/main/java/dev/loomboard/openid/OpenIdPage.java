package dev.loomboard.openid;

import dev.loomboard.credential.ProofAsked;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Page;
import org.jspecify.annotations.Nullable;

/**
 * Whether a person's account is linked with the provider, and the form to change that.
 *
 * @param provider as people know it
 * @param proof what the forms ask for
 * @param done what was done just before; null: nothing
 */
public record OpenIdPage(
        String provider,
        boolean linked,
        ProofAsked proof,
        FormState form,
        @Nullable String done) implements Page {
    @Override
    public String template() {
        return "openid/account.jte";
    }

    /** A link that is the only way in cannot be removed. */
    public boolean onlyWayIn() {
        return linked && !proof.password();
    }
}
