package dev.loomboard.recovery;

import dev.loomboard.web.FormState;
import dev.loomboard.web.Page;

/**
 * Where a link to a new password is asked for.
 *
 * @param mails whether it is mailed; else the operator gives it
 * @param asked true once the form was sent
 */
public record PasswordResetPage(boolean mails, boolean asked, FormState form) implements Page {
    @Override
    public String template() {
        return "account/reset-password.jte";
    }

    public long linkMinutes() {
        return PasswordResetService.LINK_LIFE.toMinutes();
    }
}
