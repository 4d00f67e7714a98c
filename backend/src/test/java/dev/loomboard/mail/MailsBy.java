package dev.loomboard.mail;

import java.time.Duration;

/** Mails by a mail server of a test's own. */
public final class MailsBy {

    private MailsBy() {}

    public static MailService server(String address, int port) {
        return new MailService(new MailConfig.Settings(
                address, port, "", "", "Loomboard <loomboard@example.org>", "none", Duration.ofMinutes(1)));
    }
}
