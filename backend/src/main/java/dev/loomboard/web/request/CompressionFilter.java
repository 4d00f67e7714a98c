package dev.loomboard.web.request;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.loomboard.web.Gzip;
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

/**
 * Sends pages and their twins compressed to readers who take that, and unpacks what is kept compressed for those who don't. What is
 * sent in pieces is sent as it is.
 */
@Component
final class CompressionFilter implements WebFilter, Ordered {

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
        return Gzip.answer(plain).doOnNext(body -> {
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
            if (body instanceof Mono<? extends DataBuffer> whole && isText()) {
                String encoding = getHeaders().getFirst(HttpHeaders.CONTENT_ENCODING);
                if (encoding == null) {
                    return whole.flatMap(this::writeWhole);
                }
                if (encoding.equals(Gzip.NAME) && !asked) {
                    return whole.flatMap(this::writeUnpacked);
                }
            }
            return super.writeWith(body);
        }

        private boolean isText() {
            MediaType type = getHeaders().getContentType();
            return type != null && Gzip.shortens(type);
        }

        private Mono<Void> writeWhole(DataBuffer whole) {
            Gzip.vary(getHeaders());
            if (!asked || !Gzip.isWorthIt(whole.readableByteCount())) {
                return super.writeWith(Mono.just(whole));
            }
            return gzip(bytes(whole), getHeaders().getETag()).flatMap(body -> {
                getHeaders().set(HttpHeaders.CONTENT_ENCODING, Gzip.NAME);
                return write(body);
            });
        }

        private Mono<Void> writeUnpacked(DataBuffer whole) {
            getHeaders().remove(HttpHeaders.CONTENT_ENCODING);
            return write(Gzip.unpacked(bytes(whole)));
        }

        private Mono<Void> write(byte[] body) {
            getHeaders().setContentLength(body.length);
            return super.writeWith(Mono.just(bufferFactory().wrap(body)));
        }
    }

    private static byte[] bytes(DataBuffer whole) {
        byte[] bytes = new byte[whole.readableByteCount()];
        whole.read(bytes);
        DataBufferUtils.release(whole);
        return bytes;
    }
}
