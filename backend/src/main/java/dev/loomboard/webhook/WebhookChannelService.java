package dev.loomboard.webhook;

import dev.loomboard.outbox.Channel;
import dev.loomboard.outbox.ChannelService;
import dev.loomboard.outbox.Delivery;
import dev.loomboard.outbox.IssueText;
import dev.loomboard.outbox.OutboxMessage;
import dev.loomboard.outbox.ToldNoticeStore;
import dev.loomboard.web.PublicUrl;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Posts to a workspace's webhooks, signed. The time that is signed is that of the attempt, the id that of the message. */
@Service
class WebhookChannelService implements ChannelService {

    private static final Delivery REMOVED = new Delivery.Failed("not sent: the webhook was removed", true);
    private static final Delivery NOTHING_LEFT =
            new Delivery.Failed("not sent: all that it would tell was retracted or hidden, or is over", true);

    private final WebhookStore store;
    private final ToldNoticeStore notices;
    private final WebhookClientService http;
    private final PublicUrl publicUrl;
    private final JsonMapper json;
    private final Clock clock;

    WebhookChannelService(
            WebhookStore store,
            ToldNoticeStore notices,
            WebhookClientService http,
            PublicUrl publicUrl,
            JsonMapper json,
            Clock clock) {
        this.store = store;
        this.notices = notices;
        this.http = http;
        this.publicUrl = publicUrl;
        this.json = json;
        this.clock = clock;
    }

    @Override
    public Channel channel() {
        return Channel.WEBHOOK;
    }

    @Override
    public Mono<Void> write(long notice, Instant now) {
        return store.write(notice, now);
    }

    @Override
    public Mono<Delivery> send(OutboxMessage message) {
        return store.target(message.recipient(), message.messageId())
                .flatMap(target -> body(message, target)
                        .flatMap(body -> post(message, target, json.writeValueAsBytes(body)))
                        .defaultIfEmpty(NOTHING_LEFT))
                .defaultIfEmpty(REMOVED);
    }

    private Mono<Delivery> post(OutboxMessage message, WebhookStore.Target target, byte[] body) {
        Instant now = clock.instant();
        return http.post(
                target.url(),
                Map.of(
                        WebhookSecret.ID, message.messageId(),
                        WebhookSecret.TIMESTAMP, Long.toString(now.getEpochSecond()),
                        WebhookSecret.SIGNATURE, target.secret().signature(message.messageId(), now, body)),
                body);
    }

    /** Empty: nothing is left to tell. */
    private Mono<Object> body(OutboxMessage message, WebhookStore.Target target) {
        Long notice = message.notice();
        String site = publicUrl.trusted();
        if (notice == null) {
            return Mono.just(
                    switch (target.form()) {
                        case JSON -> WebhookBody.test(target.workspaceName(), target.asked());
                        case SLACK -> SlackText.ofTest(target.workspaceName());
                        case GITHUB_ISSUE -> WebhookBody.issueOfTest(target.workspaceName());
                    });
        }
        return notices.of(notice).filter(told -> told.what().stands()).map(told -> switch (target.form()) {
            case JSON -> WebhookBody.of(told, site);
            case SLACK -> SlackText.of(told, site);
            case GITHUB_ISSUE -> IssueText.of(told.what(), site);
        });
    }
}
