package dev.loomboard.mail;

import jakarta.mail.MessagingException;
import jakarta.mail.SendFailedException;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.mail.MailException;
import org.springframework.mail.MailParseException;
import org.springframework.mail.MailSendException;
import org.springframework.mail.SimpleMailMessage;
import org.springframework.mail.javamail.JavaMailSender;
import org.springframework.mail.javamail.MimeMessageHelper;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

/**
 * Sends mails by one thread of its own, so that nobody waits for a mail server, and the time of an answer does not tell whether a
 * mail was sent. A server that does not answer is asked again for a while, and its outage is logged once. What waits is
 * lost with the process: people who miss a mail ask for another. {@link #deliver} is for who stores what waits.
 */
@Service
public class MailService implements DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(MailService.class);
    private static final int ATTEMPTS = 15;
    private static final int MOST_WAITING = 1000;
    private static final int MOST_CAUSES = 20;
    private static final Pattern REFUSAL = Pattern.compile("5\\d\\d\\b");
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

    /**
     * Sends the mail once, and tells when the mail server has taken it. Fails with {@link UndeliveredException} otherwise: then it
     * may have been taken all the same, if the connection broke.
     *
     * @param id what the Message-ID has before the @: the same for what is sent again
     */
    public Mono<Void> deliver(Mail mail, String id) {
        JavaMailSender by = sender;
        return by == null
                ? Mono.error(new UndeliveredException("no mail server is configured", true))
                : Mono.fromFuture(() -> CompletableFuture.runAsync(() -> deliver(by, mail, id), worker));
    }

    private void deliver(JavaMailSender by, Mail mail, String id) {
        try {
            by.send(message(by, mail, id));
        } catch (MailException | MessagingException e) {
            throw new UndeliveredException(reason(e), isForGood(e));
        }
    }

    private MimeMessage message(JavaMailSender by, Mail mail, String id) throws MessagingException {
        MimeMessage message = by.createMimeMessage();
        MimeMessageHelper helper = new MimeMessageHelper(message, "UTF-8");
        helper.setFrom(settings.from());
        helper.setTo(mail.to());
        helper.setSubject(mail.subject());
        helper.setText(mail.text());
        for (Map.Entry<String, String> header : mail.headers().entrySet()) {
            message.setHeader(header.getKey(), header.getValue());
        }
        message.setHeader("Message-ID", "<" + id + "@" + domain() + ">");
        return message;
    }

    /** Of the address that mails come from. */
    private String domain() {
        return settings.from().replaceAll(".*@|[>\\s].*$", "");
    }

    /** A server that answers with 4xx asks to come again; what is no address stays none. */
    private static boolean isForGood(Exception failure) {
        return failure instanceof MessagingException
                || failure instanceof MailParseException
                || failure instanceof MailSendException sending
                        && sending.getFailedMessages().values().stream()
                                .flatMap(cause -> causes(cause).stream())
                                .anyMatch(MailService::refusesForGood);
    }

    /** The library's message is the server's answer, with its code first. */
    private static boolean refusesForGood(Throwable cause) {
        return cause instanceof SendFailedException
                && cause.getMessage() != null
                && REFUSAL.matcher(cause.getMessage()).lookingAt();
    }

    private static List<Throwable> causes(Throwable failure) {
        List<Throwable> causes = new ArrayList<>();
        for (Throwable cause = failure; cause != null && causes.size() < MOST_CAUSES; cause = next(cause)) {
            causes.add(cause);
        }
        return causes;
    }

    /** The exceptions of the mail library hang at each other in two ways. */
    private static @Nullable Throwable next(Throwable cause) {
        return cause instanceof MessagingException mail && mail.getNextException() != null
                ? mail.getNextException()
                : cause.getCause();
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

    private static String reason(Exception failure) {
        Throwable cause = NestedExceptionUtils.getMostSpecificCause(failure);
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
