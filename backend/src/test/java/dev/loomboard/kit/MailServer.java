package dev.loomboard.kit;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.GreenMailUtil;
import com.icegreen.greenmail.util.ServerSetup;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A mail server in this JVM, on a free port. */
public final class MailServer {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final Pattern LINK = Pattern.compile("https?://[^/\\s]+(/\\S+)");

    private final GreenMail server;

    private MailServer(String address, int port) {
        ServerSetup setup = new ServerSetup(port, address, ServerSetup.PROTOCOL_SMTP);
        setup.setServerStartupTimeout(TIMEOUT.toMillis()); // else it gives up after two seconds
        server = new GreenMail(setup);
        server.start();
    }

    private static final class Shared {
        static final MailServer INSTANCE = new MailServer("127.0.0.1", 0);
    }

    /** That of the shared service, started once per JVM. */
    public static MailServer shared() {
        return Shared.INSTANCE;
    }

    /**
     * @param address a loopback one
     * @param port 0: a free one
     */
    public static MailServer started(String address, int port) {
        return new MailServer(address, port);
    }

    public int port() {
        return server.getSmtp().getPort();
    }

    public void stop() {
        server.stop();
    }

    /** All mails to the address, the oldest first. */
    public List<MimeMessage> to(String address) {
        return Arrays.stream(server.getReceivedMessages())
                .filter(mail -> isTo(mail, address))
                .toList();
    }

    /** The text of the {@code number}th mail to the address; waits until it is there. */
    public String awaited(String address, int number) {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (to(address).size() < number) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("no mail no. " + number + " to " + address);
            }
            server.waitForIncomingEmail(100, server.getReceivedMessages().length + 1);
        }
        return GreenMailUtil.getBody(to(address).get(number - 1));
    }

    /** The path of the link in a mail. */
    public static String link(String text) {
        Matcher link = LINK.matcher(text);
        if (!link.find()) {
            throw new AssertionError("no link in: " + text);
        }
        return link.group(1);
    }

    private static boolean isTo(MimeMessage mail, String address) {
        try {
            return mail.getAllRecipients()[0].toString().equals(address);
        } catch (MessagingException e) {
            throw new IllegalStateException(e);
        }
    }
}
