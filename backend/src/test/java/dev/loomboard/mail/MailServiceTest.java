package dev.loomboard.mail;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.loomboard.kernel.StartupRefusal;
import dev.loomboard.kit.MailServer;
import dev.loomboard.kit.OneAtATime;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

@OneAtATime
final class MailServiceTest {

    /** No connection of another test is from there: a port that a server left is still free when it comes back. */
    private static final String HERE = "127.0.0.40";

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final BlockingQueue<ILoggingEvent> said = new LinkedBlockingQueue<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            said.add(event);
        }
    };
    private final Logger log = (Logger) LoggerFactory.getLogger(MailService.class);

    @BeforeEach
    void listen() {
        appender.start();
        log.addAppender(appender);
    }

    @AfterEach
    void listenNoMore() {
        log.detachAppender(appender);
    }

    @Test
    void mail_is_plain_text_as_it_was_written() throws Exception {
        MailServer server = MailServer.started(HERE, 0);
        MailService service = new MailService(settings(server.port(), "none"));
        try {
            service.send(new Mail("ann@example.org", "Ünder test", "One line\n\nhttps://loomboard.example/ä\n"));
            assertThat(server.awaited("ann@example.org", 1)).contains("One line");
            assertThat(server.to("ann@example.org").getFirst().getSubject()).isEqualTo("Ünder test");
            assertThat(server.to("ann@example.org").getFirst().getContentType())
                    .startsWith("text/plain")
                    .containsIgnoringCase("utf-8");
            assertThat(server.to("ann@example.org").getFirst().getContent().toString())
                    .contains("https://loomboard.example/ä");
        } finally {
            service.destroy();
            server.stop();
        }
    }

    @Test
    void outage_is_said_once_and_what_waits_is_sent_after_it() throws Exception {
        MailServer gone = MailServer.started(HERE, 0);
        int port = gone.port();
        gone.stop();
        MailService service = new MailService(settings(port, "none"));
        MailServer back = null;
        try {
            service.send(new Mail("first@example.org", "1", "one"));
            service.send(new Mail("second@example.org", "2", "two"));
            assertThat(next().getLevel()).isEqualTo(Level.WARN);
            back = MailServer.started(HERE, port);
            assertThat(back.awaited("first@example.org", 1)).contains("one");
            assertThat(back.awaited("second@example.org", 1)).contains("two");
            ILoggingEvent end = next();
            assertThat(end.getLevel()).as(end.getFormattedMessage()).isEqualTo(Level.INFO);
            assertThat(end.getFormattedMessage()).isEqualTo("Mails are sent again.");
        } finally {
            service.destroy();
            if (back != null) {
                back.stop();
            }
        }
    }

    @Test
    void nothing_is_sent_in_the_clear_where_encryption_was_asked_for() throws Exception {
        MailServer server = MailServer.started(HERE, 0);
        MailService service = new MailService(settings(server.port(), "starttls"));
        try {
            service.send(new Mail("ann@example.org", "secret", "link"));
            assertThat(next().getFormattedMessage()).startsWith("No mail can be sent by " + HERE + ": ");
            assertThat(server.to("ann@example.org")).isEmpty();
        } finally {
            service.destroy();
            server.stop();
        }
    }

    /** Whether it was taken is not known: better twice than never. */
    @Test
    void connection_that_breaks_amid_a_mail_is_no_refusal_of_it() throws Exception {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.ofLiteral(HERE));
        Thread breaking = Thread.ofVirtual().start(() -> {
            while (!server.isClosed()) {
                breakAfterTheMail(server);
            }
        });
        MailService service = new MailService(settings(server.getLocalPort(), "none"));
        try {
            service.send(new Mail("ann@example.org", "1", "one"));
            assertThat(next().getFormattedMessage()).startsWith("No mail can be sent by " + HERE + ": ");
        } finally {
            service.destroy();
            server.close();
            breaking.join();
        }
    }

    private static void breakAfterTheMail(ServerSocket server) {
        try (Socket client = server.accept();
                BufferedReader in = new BufferedReader(new InputStreamReader(client.getInputStream(), US_ASCII))) {
            OutputStream out = client.getOutputStream();
            out.write("220 here\r\n".getBytes(US_ASCII));
            for (String line = in.readLine(); line != null && !line.equals("."); line = in.readLine()) {
                boolean answered = Stream.of("EHLO", "MAIL", "RCPT").anyMatch(line::startsWith);
                if (answered || line.equals("DATA")) {
                    out.write((answered ? "250 well\r\n" : "354 go on\r\n").getBytes(US_ASCII));
                }
            }
        } catch (IOException e) {
            // one of the two is gone
        }
    }

    @Test
    void who_stores_what_waits_is_told_whether_it_is_refused_for_good() throws Exception {
        assertThat(refusal("550 nobody is called so").forGood()).isTrue();
        UndeliveredException later = refusal("451 come again");
        assertThat(later.forGood()).isFalse();
        assertThat(later).hasMessageContaining("come again");
    }

    /** Of a server that answers so to the address. */
    private static UndeliveredException refusal(String answer) throws Exception {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.ofLiteral(HERE));
        Thread refusing = Thread.ofVirtual().start(() -> refuseTheAddress(server, answer));
        MailService service = new MailService(settings(server.getLocalPort(), "none"));
        try {
            return Objects.requireNonNull(service.deliver(new Mail("ann@example.org", "1", "one"), "msg_1")
                    .then(Mono.<UndeliveredException>empty())
                    .onErrorResume(UndeliveredException.class, Mono::just)
                    .block(TIMEOUT));
        } finally {
            service.destroy();
            server.close();
            refusing.join();
        }
    }

    private static void refuseTheAddress(ServerSocket server, String answer) {
        try (Socket client = server.accept();
                BufferedReader in = new BufferedReader(new InputStreamReader(client.getInputStream(), US_ASCII))) {
            OutputStream out = client.getOutputStream();
            out.write("220 here\r\n".getBytes(US_ASCII));
            for (String line = in.readLine(); line != null && !line.startsWith("QUIT"); line = in.readLine()) {
                out.write(((line.startsWith("RCPT") ? answer : "250 well") + "\r\n").getBytes(US_ASCII));
            }
            out.write("221 bye\r\n".getBytes(US_ASCII));
        } catch (IOException e) {
            // one of the two is gone
        }
    }

    @Test
    void mail_to_what_is_no_address_keeps_no_other_back() throws Exception {
        MailServer server = MailServer.started(HERE, 0);
        MailService service = new MailService(settings(server.port(), "none"));
        try {
            service.send(new Mail("no address at all", "1", "one"));
            service.send(new Mail("ann@example.org", "2", "two"));
            assertThat(server.awaited("ann@example.org", 1)).contains("two");
            assertThat(next().getFormattedMessage()).startsWith("The mail server refused a mail");
        } finally {
            service.destroy();
            server.stop();
        }
    }

    @Test
    void settings_that_cannot_be_are_refused_when_the_service_starts() {
        assertThat(new MailService(new MailConfig.Settings("", null, "", "", "", "starttls", TIMEOUT)).configured())
                .isFalse();
        assertThatThrownBy(() -> new MailService(settings("", "none")))
                .isInstanceOf(StartupRefusal.class)
                .hasMessageContaining("LOOMBOARD_MAIL_FROM");
        assertThatThrownBy(() -> new MailService(settings(25, "ssl")))
                .isInstanceOf(StartupRefusal.class)
                .hasMessageContaining("LOOMBOARD_MAIL_TLS");
    }

    private ILoggingEvent next() throws InterruptedException {
        ILoggingEvent event = said.poll(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        if (event == null) {
            throw new AssertionError("nothing was said");
        }
        return event;
    }

    private static MailConfig.Settings settings(String from, String tls) {
        return new MailConfig.Settings(HERE, 25, "", "", from, tls, TIMEOUT);
    }

    private static MailConfig.Settings settings(int port, String tls) {
        return new MailConfig.Settings(HERE, port, "", "", "loomboard@example.org", tls, Duration.ofMillis(50));
    }
}
