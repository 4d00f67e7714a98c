package dev.loomboard.webhook;

import dev.loomboard.outbox.Delivery;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientResponse;
import reactor.netty.resources.ConnectionProvider;

/**
 * Posts to addresses that people named: to public ones alone unless the operator allows others, over a connection for each, with a limit of
 * time; no redirect is followed, and nothing of an answer is read but its status.
 */
@Service
class WebhookClientService implements DisposableBean {

    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration ANSWER = Duration.ofSeconds(15);
    private static final Duration ALL = Duration.ofSeconds(30);
    private static final int GONE = 410;
    private static final int LONGEST_REASON = 200;

    private final WebhookReach reach;
    private final @Nullable PublicNames names;
    private final HttpClient http;

    WebhookClientService(WebhookReach reach) {
        this.reach = reach;
        names = reach == WebhookReach.PUBLIC ? new PublicNames() : null;
        HttpClient client = HttpClient.create(ConnectionProvider.newConnection());
        http = (names == null ? client : client.resolver(names))
                .followRedirect(false)
                .disableRetry(true)
                .responseTimeout(ANSWER)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, Math.toIntExact(CONNECT.toMillis()))
                .headers(headers -> headers.set(HttpHeaderNames.USER_AGENT, "Loomboard")
                        .set(HttpHeaderNames.CONTENT_TYPE, "application/json"));
    }

    /** @param headers beside those that every request has */
    Mono<Delivery> post(String url, Map<String, String> headers, byte[] body) {
        if (reach == WebhookReach.NOWHERE) {
            return Mono.just(new Delivery.Failed("the operator of this service allows no webhooks", true));
        }
        String wrong = NewWebhook.wrong(url, reach);
        return wrong != null
                ? Mono.just(new Delivery.Failed("the address " + wrong, true))
                : http.headers(all -> {
                            headers.forEach(all::set);
                            all.set(HttpHeaderNames.CONTENT_LENGTH, body.length);
                        })
                        .post()
                        .uri(url)
                        .send(ByteBufFlux.fromInbound(Mono.just(body)))
                        .response()
                        .map(WebhookClientService::delivery)
                        .timeout(ALL)
                        .onErrorResume(e -> Mono.just(new Delivery.Failed(reason(e), false)));
    }

    private static Delivery delivery(HttpClientResponse answer) {
        int status = answer.status().code();
        return status >= 200 && status < 300
                ? new Delivery.Accepted()
                : new Delivery.Failed("the receiver answered with " + status, status == GONE);
    }

    private static String reason(Throwable failure) {
        String message = String.valueOf(failure.getMessage()).replaceAll("\\p{Cntrl}", " ");
        return message.substring(0, Math.min(message.length(), LONGEST_REASON));
    }

    @Override
    public void destroy() {
        if (names != null) {
            names.close();
        }
    }
}
