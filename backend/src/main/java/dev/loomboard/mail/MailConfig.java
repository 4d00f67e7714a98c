package dev.loomboard.mail;

import dev.loomboard.kernel.StartupRefusal;
import java.time.Duration;
import java.util.Locale;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.mail.javamail.JavaMailSenderImpl;

/** Where mails are sent. Without a host there is no mail, and what needs it says so. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(MailConfig.Settings.class)
class MailConfig {

    /** A mail server that does not answer must not hold the thread that sends. */
    private static final String TIMEOUT_MILLIS = "10000";

    /** How the connection to the mail server is encrypted. */
    enum Tls {
        /** Asked for after connecting, and required. */
        STARTTLS(587),
        /** From the start. */
        TLS(465),
        /** Not at all: for a server on the same machine. */
        NONE(25);

        private final int port;

        Tls(int port) {
            this.port = port;
        }
    }

    /**
     * @param host blank: there is no mail
     * @param port null: the usual one for the encryption
     * @param user blank: the server asks for none
     * @param again until a mail that could not be sent is tried again
     */
    @ConfigurationProperties("loomboard.mail")
    record Settings(
            String host,
            @Nullable Integer port,
            String user,
            String password,
            String from,
            String tls,
            Duration again) {

        boolean configured() {
            return !host.isBlank();
        }

        private Tls encryption() {
            try {
                return Tls.valueOf(tls.strip().toUpperCase(Locale.ROOT));
            } catch (IllegalArgumentException e) {
                throw new StartupRefusal(
                        "LOOMBOARD_MAIL_TLS is " + tls + ".", "Set it to starttls, tls or none, or leave it out.", e);
            }
        }
    }

    static JavaMailSenderImpl sender(Settings settings) {
        if (!settings.from().contains("@")) {
            throw new StartupRefusal(
                    "LOOMBOARD_MAIL_HOST is set, and LOOMBOARD_MAIL_FROM is no address.",
                    "Set it to the address that mails come from, such as loomboard@example.org.");
        }
        Tls tls = settings.encryption();
        Integer port = settings.port();
        JavaMailSenderImpl sender = new JavaMailSenderImpl();
        sender.setDefaultEncoding("UTF-8");
        sender.setHost(settings.host().strip());
        sender.setPort(port == null ? tls.port : port);
        Properties properties = sender.getJavaMailProperties();
        if (!settings.user().isBlank()) {
            sender.setUsername(settings.user());
            sender.setPassword(settings.password());
            properties.setProperty("mail.smtp.auth", "true");
        }
        properties.setProperty("mail.smtp.ssl.enable", Boolean.toString(tls == Tls.TLS));
        properties.setProperty("mail.smtp.starttls.enable", Boolean.toString(tls == Tls.STARTTLS));
        properties.setProperty("mail.smtp.starttls.required", Boolean.toString(tls == Tls.STARTTLS));
        properties.setProperty("mail.smtp.ssl.checkserveridentity", "true");
        for (String wait : new String[] {"connectiontimeout", "timeout", "writetimeout"}) {
            properties.setProperty("mail.smtp." + wait, TIMEOUT_MILLIS);
        }
        return sender;
    }
}
