package dev.loomboard.signup;

import dev.loomboard.credential.NewAccount;
import dev.loomboard.credential.SignUpMode;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Page;

/**
 * How to get an account: a form where everybody may have one.
 *
 * @param open true when the one who asks may have an account
 * @param verifies whether a link is mailed
 * @param asked true once the form was sent
 * @param provider by which people get one without a password; blank: there is none
 */
public record SignUpPage(
        SignUpMode mode, boolean open, boolean verifies, boolean asked, String provider, FormState form)
        implements Page {

    @Override
    public String template() {
        return "account/sign-up.jte";
    }

    public boolean closed() {
        return mode == SignUpMode.CLOSED;
    }

    public int shortestPassword() {
        return NewAccount.SHORTEST_PASSWORD;
    }

    public long linkHours() {
        return SignUpService.LINK_LIFE.toHours();
    }
}
