package dev.loomboard.openid;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.nimbusds.jose.jwk.JWKSet;
import dev.loomboard.web.Problem;
import dev.loomboard.web.ProblemException;
import io.netty.channel.ChannelOption;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.stereotype.Service;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * Asks the provider. Every question has an end in time and in bytes, and follows no redirects; what does not come is a problem
 * of status 503 that says so, and the first of an outage is logged.
 */
@Service
class ProviderService implements DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(ProviderService.class);

    static final Duration TIMEOUT = Duration.ofSeconds(10);
    static final int MOST_BYTES = 256 * 1024;

    /** A provider that withdraws a key wants that to hold soon. */
    private static final Duration KNOWN_FOR = Duration.ofHours(1);

    /** Tokens of strangers name what keys they like. */
    private static final Duration KEYS_AGAIN = Duration.ofMinutes(1);

    private static final int CONNECT_MILLIS = 5000;
    private static final int CONNECTIONS = 20;
    private static final int WAITING = 200;
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int LONGEST_REASON = 200;
    private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};

    private final Provider provider;
    private final JsonMapper json;
    private final Clock clock;
    private final ConnectionProvider connections;
    private final WebClient http;
    private final Cache<String, ProviderDocument> documents = cache();
    private final Cache<URI, JWKSet> keys = cache();
    private final AtomicLong keysRefreshedMillis = new AtomicLong();
    private final AtomicBoolean outage = new AtomicBoolean();

    ProviderService(Provider provider, JsonMapper json, Clock clock) {
        this.provider = provider;
        this.json = json;
        this.clock = clock;
        this.connections = ConnectionProvider.builder("openid")
                .maxConnections(CONNECTIONS)
                .pendingAcquireMaxCount(WAITING)
                .pendingAcquireTimeout(TIMEOUT)
                .maxIdleTime(TIMEOUT)
                .build();
        HttpClient client = HttpClient.create(connections)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
                .responseTimeout(TIMEOUT)
                .followRedirect(false)
                .proxyWithSystemProperties();
        this.http = WebClient.builder()
                .clientConnector(new ReactorClientHttpConnector(client))
                .codecs(codecs -> codecs.defaultCodecs().maxInMemorySize(MOST_BYTES))
                .build();
    }

    private static <K, V> Cache<K, V> cache() {
        return Caffeine.newBuilder().expireAfterWrite(KNOWN_FOR).maximumSize(2).build();
    }

    /**
     * What a code was redeemed for.
     *
     * @param access blank: the provider gives nothing more about the person
     */
    record Tokens(String id, String access) {}

    private record Reply(int status, byte[] body) {}

    /** What the provider says of itself, asked for once an hour. */
    Mono<ProviderDocument> document() {
        return known(
                documents,
                provider.issuer(),
                () -> object(provider.discovery())
                        .map(described -> ProviderDocument.of(provider, described))
                        .onErrorMap(this::away));
    }

    /** Its keys, asked for once an hour. */
    Mono<JWKSet> keys(ProviderDocument document) {
        return known(
                keys,
                document.keys(),
                () -> body(document.keys()).map(ProviderService::keySet).onErrorMap(this::away));
    }

    /** Its keys, fetched again unless that was done less than a minute ago. */
    Mono<JWKSet> newKeys(ProviderDocument document) {
        long now = clock.millis();
        long last = keysRefreshedMillis.get();
        if (now - last >= KEYS_AGAIN.toMillis() && keysRefreshedMillis.compareAndSet(last, now)) {
            keys.invalidate(document.keys());
        }
        return keys(document);
    }

    /** Gives a code for tokens; empty: the provider does not take the code (any more). */
    Mono<Tokens> redeem(ProviderDocument document, String code, String verifier, String redirect) {
        MultiValueMap<String, String> form = new LinkedMultiValueMap<>();
        form.add("grant_type", "authorization_code");
        form.add("code", code);
        form.add("redirect_uri", redirect);
        form.add("code_verifier", verifier);
        boolean inHeader = !provider.secret().isEmpty() && !document.secretInBody();
        if (!inHeader) {
            form.add("client_id", provider.clientId());
            if (!provider.secret().isEmpty()) {
                form.add("client_secret", provider.secret());
            }
        }
        WebClient.RequestHeadersSpec<?> request = http.post()
                .uri(document.token())
                .headers(headers -> {
                    if (inHeader) {
                        headers.set(HttpHeaders.AUTHORIZATION, basic());
                    }
                })
                .body(BodyInserters.fromFormData(form));
        return send(request)
                .flatMap(this::tokens)
                .doOnNext(tokens -> outageOver())
                .onErrorMap(this::away);
    }

    /** What the provider says of the person beside the ID token; nothing where it says nothing. */
    Mono<Profile> profile(ProviderDocument document, Tokens tokens, String subject) {
        URI address = document.userInfo();
        if (address == null || tokens.access().isEmpty()) {
            return Mono.just(Profile.of(Map.of()));
        }
        return send(http.get().uri(address).headers(headers -> headers.setBearerAuth(tokens.access())))
                .map(reply -> object(expect(reply)))
                .map(claims -> Profile.of(subject.equals(claims.get("sub")) ? claims : Map.of()))
                .onErrorMap(this::away);
    }

    private Mono<Tokens> tokens(Reply reply) {
        if (reply.status() == BAD_REQUEST
                && "invalid_grant".equals(object(reply.body()).get("error"))) {
            return Mono.empty();
        }
        if (reply.status() != OK) {
            throw new IllegalStateException("for a code it answered " + reply.status() + " "
                    + new String(reply.body(), StandardCharsets.UTF_8));
        }
        Map<String, Object> tokens = object(reply.body());
        if (!(tokens.get("id_token") instanceof String id)) {
            throw new IllegalStateException("for a code it gave no ID token");
        }
        return Mono.just(new Tokens(id, tokens.get("access_token") instanceof String access ? access : ""));
    }

    /** As RFC 6749, section 2.3.1: both are encoded as in a form before they are joined. */
    private String basic() {
        String pair = encoded(provider.clientId()) + ":" + encoded(provider.secret());
        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.US_ASCII));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private Mono<Map<String, Object>> object(URI address) {
        return body(address).map(this::object);
    }

    private Mono<byte[]> body(URI address) {
        return send(http.get().uri(address)).map(ProviderService::expect);
    }

    private static byte[] expect(Reply reply) {
        if (reply.status() != OK) {
            throw new IllegalStateException("it answered " + reply.status());
        }
        return reply.body();
    }

    private Map<String, Object> object(byte[] body) {
        try {
            return json.readValue(body, OBJECT);
        } catch (JacksonException e) {
            throw new IllegalStateException("it answered with something that is no JSON", e);
        }
    }

    private static JWKSet keySet(byte[] body) {
        try {
            return JWKSet.parse(new String(body, StandardCharsets.UTF_8));
        } catch (ParseException e) {
            throw new IllegalStateException("its keys cannot be read", e);
        }
    }

    private Mono<Reply> send(WebClient.RequestHeadersSpec<?> request) {
        return request.accept(MediaType.APPLICATION_JSON)
                .exchangeToMono(ProviderService::reply)
                .timeout(TIMEOUT);
    }

    private static Mono<Reply> reply(ClientResponse response) {
        return response.bodyToMono(byte[].class)
                .defaultIfEmpty(new byte[0])
                .map(body -> new Reply(response.statusCode().value(), body));
    }

    private void outageOver() {
        if (outage.compareAndSet(true, false)) {
            LOG.info("The provider {} answers again.", provider.issuer());
        }
    }

    private Throwable away(Throwable failure) {
        if (failure instanceof ProblemException) {
            return failure;
        }
        if (outage.compareAndSet(false, true)) {
            LOG.warn(
                    "Nobody can sign in by the provider {}: {}. Look at it, and at the settings LOOMBOARD_OPENID_*.",
                    provider.issuer(),
                    reason(failure));
        }
        return Problem.of(
                        503,
                        "provider-away",
                        provider.name() + " does not answer correctly",
                        "Nobody can sign in with it now. Try again in some minutes, or sign in with your password if your"
                                + " account has one.")
                .asException(KEYS_AGAIN);
    }

    /** For the log, on one line: a part of it may be the provider's words. */
    private static String reason(Throwable failure) {
        String message = failure.getMessage();
        String text = (message == null ? failure.getClass().getSimpleName() : message).replaceAll("\\p{Cntrl}", " ");
        return text.length() > LONGEST_REASON ? text.substring(0, LONGEST_REASON) + "…" : text;
    }

    private interface Question<V> {
        Mono<V> ask();
    }

    /** What fails is asked again by the next; how many ask at once, the connections bound. */
    private static <K, V> Mono<V> known(Cache<K, V> cache, K key, Question<V> question) {
        return Mono.defer(() -> {
            V known = cache.getIfPresent(key);
            return known == null ? question.ask().doOnNext(answer -> cache.put(key, answer)) : Mono.just(known);
        });
    }

    @Override
    public void destroy() {
        connections.dispose();
    }
}
