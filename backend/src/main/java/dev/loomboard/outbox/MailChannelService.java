package dev.loomboard.outbox;

import dev.loomboard.mail.Mail;
import dev.loomboard.mail.MailService;
import dev.loomboard.mail.UndeliveredException;
import dev.loomboard.web.PublicUrl;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Mails to members of the workspace. The address is looked up, and the text made, when a mail is sent. */
@Service
class MailChannelService implements ChannelService {

    private static final Delivery NOT_WANTED = new Delivery.Failed(
            "not sent: the person belongs to the workspace no more, has no proven address, or does not want it any more",
            true);
    private static final Delivery NOTHING_LEFT =
            new Delivery.Failed("not sent: all that it would tell was retracted or hidden, or is over", true);

    private final MailWriteStore store;
    private final ToldNoticeStore notices;
    private final AddresseeStore addressees;
    private final UnsubscribeStore unsubscribes;
    private final MailService mails;
    private final PublicUrl publicUrl;
    private final Clock clock;

    MailChannelService(
            MailWriteStore store,
            ToldNoticeStore notices,
            AddresseeStore addressees,
            UnsubscribeStore unsubscribes,
            MailService mails,
            PublicUrl publicUrl,
            Clock clock) {
        this.store = store;
        this.notices = notices;
        this.addressees = addressees;
        this.unsubscribes = unsubscribes;
        this.mails = mails;
        this.publicUrl = publicUrl;
        this.clock = clock;
    }

    @Override
    public Channel channel() {
        return Channel.MAIL;
    }

    @Override
    public Mono<Void> write(long notice, Instant now) {
        return mails.configured()
                ? store.atOnce(notice, now)
                        .thenMany(store.summaryReaders(notice))
                        .concatMap(reader -> addToSummary(notice, reader, now))
                        .then()
                : Mono.empty();
    }

    /** The next summary, or, if another replica's clock is ahead and sends that already, the one after. */
    private Mono<Boolean> addToSummary(long notice, MailWriteStore.Reader reader, Instant now) {
        Instant next = reader.times().nextSummary(now);
        return store.addToSummary(notice, reader.account(), next, now)
                .filter(added -> added)
                .switchIfEmpty(Mono.defer(() -> store.addToSummary(
                        notice, reader.account(), reader.times().nextSummary(next), now)));
    }

    @Override
    public Mono<Delivery> send(OutboxMessage message) {
        return addressees
                .of(message)
                .flatMap(addressee -> send(message, addressee))
                .defaultIfEmpty(NOT_WANTED);
    }

    /** Whoever asked for a test waits for it. */
    private Mono<Delivery> send(OutboxMessage message, Addressee addressee) {
        Instant now = clock.instant();
        Instant earliest = message.test() ? now : addressee.times().earliest(now);
        return earliest.isAfter(now)
                ? Mono.just(new Delivery.Later(earliest))
                : mail(message, addressee)
                        .flatMap(mail -> deliver(message, mail))
                        .defaultIfEmpty(NOTHING_LEFT);
    }

    /** Empty: nothing is left to tell. */
    private Mono<Mail> mail(OutboxMessage message, Addressee addressee) {
        String site = publicUrl.trusted();
        return unsubscribes
                .address(addressee.unsubscribe())
                .map(path -> site + path)
                .flatMap(unsubscribe -> message.test()
                        ? Mono.just(TestMail.of(addressee, site, unsubscribe))
                        : told(message)
                                .filter(told -> !told.isEmpty())
                                .map(told -> message.summary()
                                        ? SummaryMail.of(told, addressee, site, unsubscribe)
                                        : NoticeMail.of(told.getFirst(), addressee.email(), site, unsubscribe)));
    }

    /** What of its notices stands. */
    private Mono<List<ToldNotice>> told(OutboxMessage message) {
        Long notice = message.notice();
        return (notice == null ? store.ofSummary(message) : Mono.just(List.of(notice)))
                .flatMapMany(Flux::fromIterable)
                .concatMap(notices::of)
                .filter(told -> told.what().stands())
                .collectList();
    }

    private Mono<Delivery> deliver(OutboxMessage message, Mail mail) {
        return mails.deliver(mail, message.messageId())
                .then(Mono.<Delivery>just(new Delivery.Accepted()))
                .onErrorResume(
                        UndeliveredException.class,
                        e -> Mono.just(new Delivery.Failed(String.valueOf(e.getMessage()), e.forGood())));
    }
}
