package dev.loomboard.account;

import dev.loomboard.mail.Mail;

/** What people are mailed about their accounts: short, and each says what to do if it was not asked for. */
final class AccountMails {

    private AccountMails() {}

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

    static Mail reset(String email, String link) {
        return new Mail(
                email, "A new password for Loomboard", """
                Somebody, probably you, asked for a new password of your account at Loomboard.

                To choose one, open this link within %d minutes. It works once, and signs every browser out:

                %s

                If it was not you, do nothing: the password stays as it is.
                """.formatted(PasswordResetService.LINK_LIFE.toMinutes(), link));
    }
}
