package dev.loomboard.web.request;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.Ordered;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Sends pages and their twins compressed to readers who take that. What is sent in pieces is sent as it is. */
@Component
final class CompressionFilter implements WebFilter, Ordered {

    /** What is smaller takes one packet as it is. */
    static final int SMALLEST = 1400;

    /** What is larger keeps others waiting while it is compressed. */
    private static final int LARGE = 64 * 1024;

    private static final int LEVEL = 4;
    private static final long KEPT_BYTES = 16L << 20;

    /** Answers by their tag, which their content makes. */
    private final Cache<String, byte[]> kept = Caffeine.newBuilder()
            .maximumWeight(KEPT_BYTES)
            .weigher((String tag, byte[] body) -> 2 * tag.length() + body.length)
            .build();

    @Override
    public int getOrder() {
        return FilterOrder.COMPRESSION;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        ServerHttpResponse response = exchange.getResponse();
        return chain.filter(exchange.mutate()
                .response(new Compressed(response, Gzip.isAsked(exchange.getRequest())))
                .build());
    }

    private Mono<byte[]> gzip(byte[] plain, @Nullable String tag) {
        byte[] before = tag == null ? null : kept.getIfPresent(tag);
        if (before != null) {
            return Mono.just(before);
        }
        Mono<byte[]> made = Mono.fromSupplier(() -> Gzip.of(plain, LEVEL));
        return (plain.length > LARGE ? made.subscribeOn(Schedulers.parallel()) : made).doOnNext(body -> {
            if (tag != null) {
                kept.put(tag, body);
            }
        });
    }

    private final class Compressed extends ServerHttpResponseDecorator {

        private final boolean asked;

        Compressed(ServerHttpResponse response, boolean asked) {
            super(response);
            this.asked = asked;
        }

        @Override
        public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
            return body instanceof Mono<? extends DataBuffer> whole && isText()
                    ? whole.flatMap(this::writeWhole)
                    : super.writeWith(body);
        }

        private boolean isText() {
            HttpHeaders headers = getHeaders();
            MediaType type = headers.getContentType();
            return type != null && Gzip.shortens(type) && !headers.containsHeader(HttpHeaders.CONTENT_ENCODING);
        }

        private Mono<Void> writeWhole(DataBuffer whole) {
            Gzip.vary(this);
            if (!asked || whole.readableByteCount() < SMALLEST) {
                return super.writeWith(Mono.just(whole));
            }
            byte[] plain = new byte[whole.readableByteCount()];
            whole.read(plain);
            DataBufferUtils.release(whole);
            return gzip(plain, getHeaders().getETag()).flatMap(this::writeGzip);
        }

        private Mono<Void> writeGzip(byte[] body) {
            getHeaders().set(HttpHeaders.CONTENT_ENCODING, Gzip.NAME);
            getHeaders().setContentLength(body.length);
            return super.writeWith(Mono.just(bufferFactory().wrap(body)));
        }
    }
}
