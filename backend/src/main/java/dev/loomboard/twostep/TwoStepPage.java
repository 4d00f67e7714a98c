package dev.loomboard.twostep;

import dev.loomboard.credential.ProofAsked;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Page;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The two-step sign-in of a person's account.
 *
 * @param on whether codes are asked for
 * @param secret to be typed into an authenticator; null: it is on, or was not begun
 * @param picture of the same; null: there is none
 * @param recoveryCodes shown this once; empty otherwise
 * @param left recovery codes that were not used
 * @param proof what the forms ask for
 */
public record TwoStepPage(
        boolean on,
        @Nullable String secret,
        @Nullable QrPicture picture,
        List<String> recoveryCodes,
        int left,
        ProofAsked proof,
        FormState form)
        implements Page {
    public TwoStepPage {
        recoveryCodes = List.copyOf(recoveryCodes);
    }

    @Override
    public String template() {
        return "account/two-step.jte";
    }
}
