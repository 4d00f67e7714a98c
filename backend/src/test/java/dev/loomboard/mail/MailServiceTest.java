package dev.loomboard.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.loomboard.kernel.StartupRefusal;
import dev.loomboard.kit.MailServer;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

final class MailServiceTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

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
        MailServer server = MailServer.started(0);
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
        MailServer gone = MailServer.started(0);
        int port = gone.port();
        gone.stop();
        MailService service = new MailService(settings(port, "none"));
        MailServer back = null;
        try {
            service.send(new Mail("first@example.org", "1", "one"));
            service.send(new Mail("second@example.org", "2", "two"));
            assertThat(next().getLevel()).isEqualTo(Level.WARN);
            back = MailServer.started(port);
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
        MailServer server = MailServer.started(0);
        MailService service = new MailService(settings(server.port(), "starttls"));
        try {
            service.send(new Mail("ann@example.org", "secret", "link"));
            assertThat(next().getFormattedMessage()).startsWith("No mail can be sent by 127.0.0.1: ");
            assertThat(server.to("ann@example.org")).isEmpty();
        } finally {
            service.destroy();
            server.stop();
        }
    }

    @Test
    void mail_to_what_is_no_address_keeps_no_other_back() throws Exception {
        MailServer server = MailServer.started(0);
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
        return new MailConfig.Settings("127.0.0.1", 25, "", "", from, tls, TIMEOUT);
    }

    private static MailConfig.Settings settings(int port, String tls) {
        return new MailConfig.Settings("127.0.0.1", port, "", "", "loomboard@example.org", tls, Duration.ofMillis(50));
    }
}
