package dev.loomboard.signup;

import dev.loomboard.web.FormState;
import dev.loomboard.web.Page;

/** Where a mailed link leads: the password proves that it was asked for by who opens it. */
public record SignUpConfirmPage(String token, FormState form) implements Page {
    @Override
    public String template() {
        return "account/sign-up-confirm.jte";
    }
}
