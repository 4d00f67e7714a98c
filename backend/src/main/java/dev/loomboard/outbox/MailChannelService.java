package dev.loomboard.outbox;

import dev.loomboard.mail.Mail;
import dev.loomboard.mail.MailService;
import dev.loomboard.mail.UndeliveredException;
import dev.loomboard.web.PublicUrl;
import java.time.Instant;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

/** Mails to members of the workspace. The address is looked up, and the text made, when a mail is sent. */
@Service
class MailChannelService implements ChannelService {

    private static final Delivery NOT_WANTED = new Delivery.Failed(
            "not sent: the person belongs to the workspace no more, has no proven address, or does not want it any more",
            true);
    private static final Delivery RETRACTED =
            new Delivery.Failed("not sent: all that it would tell was retracted or hidden meanwhile", true);

    private final OutboxStore store;
    private final ToldNoticeStore notices;
    private final AddresseeStore addressees;
    private final UnsubscribeStore unsubscribes;
    private final MailService mails;
    private final PublicUrl publicUrl;

    MailChannelService(
            OutboxStore store,
            ToldNoticeStore notices,
            AddresseeStore addressees,
            UnsubscribeStore unsubscribes,
            MailService mails,
            PublicUrl publicUrl) {
        this.store = store;
        this.notices = notices;
        this.addressees = addressees;
        this.unsubscribes = unsubscribes;
        this.mails = mails;
        this.publicUrl = publicUrl;
    }

    @Override
    public Channel channel() {
        return Channel.MAIL;
    }

    @Override
    public Mono<Void> write(long notice, Instant now) {
        return mails.configured() ? store.mails(notice, now) : Mono.empty();
    }

    @Override
    public Mono<Delivery> send(OutboxMessage message) {
        return addressees
                .of(message)
                .flatMap(addressee -> mail(message, addressee)
                        .flatMap(mail -> deliver(message, mail))
                        .defaultIfEmpty(RETRACTED))
                .defaultIfEmpty(NOT_WANTED);
    }

    /** Empty: nothing is left to tell. */
    private Mono<Mail> mail(OutboxMessage message, Addressee addressee) {
        Long notice = message.notice();
        String site = publicUrl.trusted();
        return unsubscribes
                .address(addressee.unsubscribe())
                .map(path -> site + path)
                .flatMap(unsubscribe -> notice == null
                        ? Mono.just(TestMail.of(addressee, site, unsubscribe))
                        : notices.of(notice)
                                .filter(told -> !told.what().changes().isEmpty())
                                .map(told -> NoticeMail.of(told, addressee.email(), site, unsubscribe)));
    }

    private Mono<Delivery> deliver(OutboxMessage message, Mail mail) {
        return mails.deliver(mail, message.messageId())
                .then(Mono.<Delivery>just(new Delivery.Accepted()))
                .onErrorResume(
                        UndeliveredException.class,
                        e -> Mono.just(new Delivery.Failed(String.valueOf(e.getMessage()), e.forGood())));
    }
}
