package dev.loomboard.recovery;

import dev.loomboard.mail.Mail;

/** What who forgot a password is mailed: short, and it says what to do if it was not asked for. */
final class ResetMail {

    private ResetMail() {}

    static Mail of(String email, String link) {
        return new Mail(
                email, "A new password for Loomboard", """
                Somebody, probably you, asked for a new password of your account at Loomboard.

                To choose one, open this link within %d minutes. It works once, and signs every browser out:

                %s

                If it was not you, do nothing: the password stays as it is.
                """.formatted(PasswordResetService.LINK_LIFE.toMinutes(), link));
    }
}
