package dev.loomboard.signup;

import dev.loomboard.mail.Mail;

/** What is mailed to the address of who asks for an account: short, and each says what to do if it was not asked for. */
final class SignUpMails {

    private SignUpMails() {}

    static Mail verify(String email, String link) {
        return new Mail(email, "Your account at Loomboard", """
                Somebody, probably you, asked for an account at Loomboard with this address.

                To make it, open this link within %d hours and type the password that you chose:

                %s

                If it was not you, do nothing: without that there is no account.
                """.formatted(SignUpService.LINK_LIFE.toHours(), link));
    }

    /** @param reset where a new password is asked for */
    static Mail alreadyThere(String email, String reset) {
        return new Mail(email, "Your account at Loomboard", """
                Somebody, probably you, asked for an account at Loomboard with this address. It has one already, which stays as it is.

                If you have forgotten its password, ask for a new one:

                %s

                If it was not you, do nothing.
                """.formatted(reset));
    }
}
