package dev.loomboard.mail;

import jakarta.mail.SendFailedException;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.mail.MailException;
import org.springframework.mail.MailParseException;
import org.springframework.mail.MailSendException;
import org.springframework.mail.SimpleMailMessage;
import org.springframework.mail.javamail.JavaMailSender;
import org.springframework.stereotype.Service;

/**
 * Sends mails by one thread of its own, so that nobody waits for a mail server, and the time of an answer does not tell whether a
 * mail was sent. A server that does not answer is asked again for a while, and its outage is logged once. What waits is
 * lost with the process: people who miss a mail ask for another.
 */
@Service
public class MailService implements DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(MailService.class);
    private static final int ATTEMPTS = 15;
    private static final int MOST_WAITING = 1000;
    private static final Duration LAST_MAIL = Duration.ofSeconds(5);

    private final MailConfig.Settings settings;
    private final @Nullable JavaMailSender sender;
    private final ScheduledThreadPoolExecutor worker = new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().name("mail").daemon().factory());
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicBoolean outage = new AtomicBoolean();

    MailService(MailConfig.Settings settings) {
        this.settings = settings;
        this.sender = settings.configured() ? MailConfig.sender(settings) : null;
        worker.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** False where the operator named no mail server: links are then given in other ways. */
    public boolean configured() {
        return sender != null;
    }

    /** Gives the mail to the thread that sends, and returns at once. */
    public void send(Mail mail) {
        JavaMailSender by = sender;
        if (by == null) {
            throw new IllegalStateException("no mail server is configured");
        }
        if (waiting.incrementAndGet() > MOST_WAITING) {
            waiting.decrementAndGet();
            LOG.warn("A mail was not sent: {} are waiting already.", MOST_WAITING);
            return;
        }
        attempt(by, mail, 1, 0);
    }

    private void attempt(JavaMailSender by, Mail mail, int number, long delayMillis) {
        try {
            worker.schedule(() -> deliver(by, mail, number), delayMillis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            waiting.decrementAndGet(); // the service stops
        }
    }

    private void deliver(JavaMailSender by, Mail mail, int number) {
        try {
            by.send(message(mail));
            waiting.decrementAndGet();
            if (outage.compareAndSet(true, false)) {
                LOG.info("Mails are sent again.");
            }
        } catch (MailException e) {
            failed(by, mail, number, e);
        }
    }

    private void failed(JavaMailSender by, Mail mail, int number, MailException failure) {
        if (isOfThisMailAlone(failure)) {
            waiting.decrementAndGet();
            LOG.info("The mail server refused a mail, which is given up: {}", reason(failure));
            return;
        }
        if (outage.compareAndSet(false, true)) {
            LOG.warn(
                    "No mail can be sent by {}: {}. It is tried again; look at the settings LOOMBOARD_MAIL_*.",
                    settings.host(),
                    reason(failure));
        }
        if (number < ATTEMPTS) {
            attempt(by, mail, number + 1, settings.again().toMillis());
        } else {
            waiting.decrementAndGet();
        }
    }

    /** Such as an address that does not exist; another mail may well be taken. */
    private static boolean isOfThisMailAlone(MailException failure) {
        return failure instanceof MailParseException
                || failure instanceof MailSendException sending
                        && sending.getFailedMessages().values().stream().anyMatch(MailService::wasAnswered);
    }

    /** False: the connection broke amid the mail, for which the library has no type of its own. */
    private static boolean wasAnswered(Exception failure) {
        return failure instanceof SendFailedException
                && Stream.<@Nullable Throwable>iterate(failure, Objects::nonNull, Throwable::getCause)
                        .noneMatch(cause -> cause instanceof IOException || "[EOF]".equals(cause.getMessage()));
    }

    private static String reason(MailException failure) {
        Throwable cause = failure.getMostSpecificCause();
        return String.valueOf(cause.getMessage()).strip();
    }

    private SimpleMailMessage message(Mail mail) {
        SimpleMailMessage message = new SimpleMailMessage();
        message.setFrom(settings.from());
        message.setTo(mail.to());
        message.setSubject(mail.subject());
        message.setText(mail.text());
        return message;
    }

    @Override
    public void destroy() throws InterruptedException {
        worker.shutdown(); // what is being sent is sent to its end, what waits is dropped
        if (!worker.awaitTermination(LAST_MAIL.toMillis(), TimeUnit.MILLISECONDS)) {
            worker.shutdownNow();
        }
    }
}
