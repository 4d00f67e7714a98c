package dev.loomboard.web;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SynchronousSink;
import reactor.core.scheduler.Schedulers;

/** Bounds every body, on the wire and unpacked, and unpacks gzip, so that nothing behind it meets either. */
@Component
final class RequestBodyFilter implements WebFilter, Ordered {

    private static final int CHUNK = 64 * 1024;

    @Override
    public int getOrder() {
        return FilterOrder.BODY;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        ServerHttpRequest request = exchange.getRequest();
        BodyLimits limits = BodyLimits.of(request.getPath().value());
        if (request.getHeaders().getContentLength() > limits.raw()) {
            return Mono.error(tooLarge("bytes on the wire", limits.raw()).asException());
        }
        String encoding = request.getHeaders().getFirst(HttpHeaders.CONTENT_ENCODING);
        return switch (encoding == null ? "identity" : encoding.toLowerCase(Locale.ROOT)) {
            case "identity" ->
                chain.filter(exchange.mutate().request(bounded(request, limits)).build());
            case "gzip" ->
                chain.filter(
                        exchange.mutate().request(unpacked(request, limits)).build());
            default ->
                Mono.error(Problem.of(
                                415,
                                "encoding",
                                "Unsupported content encoding",
                                "Content-Encoding must be gzip or absent, is: " + encoding)
                        .asException());
        };
    }

    private static ServerHttpRequest bounded(ServerHttpRequest request, BodyLimits limits) {
        return new ServerHttpRequestDecorator(request) {
            @Override
            public Flux<DataBuffer> getBody() {
                AtomicLong seen = new AtomicLong();
                return super.getBody().handle((buffer, sink) -> count(buffer, sink, seen, limits.raw()));
            }
        };
    }

    private static void count(DataBuffer buffer, SynchronousSink<DataBuffer> sink, AtomicLong seen, long limit) {
        if (seen.addAndGet(buffer.readableByteCount()) > limit) {
            DataBufferUtils.release(buffer);
            sink.error(tooLarge("bytes on the wire", limit).asException());
        } else {
            sink.next(buffer);
        }
    }

    private static ServerHttpRequest unpacked(ServerHttpRequest request, BodyLimits limits) {
        HttpHeaders headers = new HttpHeaders();
        headers.putAll(request.getHeaders());
        headers.remove(HttpHeaders.CONTENT_ENCODING);
        headers.remove(HttpHeaders.CONTENT_LENGTH);
        return new ServerHttpRequestDecorator(request) {
            @Override
            public HttpHeaders getHeaders() {
                return headers;
            }

            @Override
            public Flux<DataBuffer> getBody() {
                return DataBufferUtils.join(super.getBody(), Math.toIntExact(limits.raw()))
                        .onErrorMap(
                                DataBufferLimitException.class,
                                e -> tooLarge("bytes on the wire", limits.raw()).asException())
                        .publishOn(Schedulers.parallel()) // unpacking is work; the event loop has connections to serve
                        .flatMapMany(packed -> inflate(packed, limits.inflated()));
            }
        };
    }

    /** Lazily, chunk by chunk: a small body that unpacks to a huge one is cut off at the limit, not stored. */
    private static Flux<DataBuffer> inflate(DataBuffer packed, long limit) {
        return Flux.generate(() -> new Inflating(packed.asInputStream(true), limit), Inflating::next, Inflating::close);
    }

    private static Problem tooLarge(String what, long limit) {
        return Problem.of(413, "too-large", "Too large", "The body must have at most " + limit + " " + what + ".");
    }

    private static final class Inflating {
        private final InputStream packed;
        private final long limit;
        private @Nullable InputStream unpacked;
        private long produced;

        Inflating(InputStream packed, long limit) {
            this.packed = packed;
            this.limit = limit;
        }

        Inflating next(SynchronousSink<DataBuffer> sink) {
            try {
                InputStream source = unpacked;
                if (source == null) {
                    source = new GZIPInputStream(packed, CHUNK);
                    unpacked = source;
                }
                byte[] chunk = source.readNBytes(CHUNK);
                produced += chunk.length;
                if (produced > limit) {
                    sink.error(tooLarge("bytes unpacked", limit).asException());
                } else if (chunk.length == 0) {
                    sink.complete();
                } else {
                    sink.next(DefaultDataBufferFactory.sharedInstance.wrap(chunk));
                }
            } catch (EOFException e) {
                sink.error(Problem.of(400, "truncated", "Truncated body", "The gzip stream ends before it is complete.")
                        .asException());
            } catch (ZipException e) {
                sink.error(Problem.of(
                                400,
                                "not-gzip",
                                "Not gzip",
                                "The body is said to be gzip but is not: " + e.getMessage() + ".")
                        .asException());
            } catch (IOException e) {
                sink.error(e);
            }
            return this;
        }

        void close() {
            try {
                packed.close(); // releases the network buffer
            } catch (IOException e) {
                throw new IllegalStateException("a buffer in memory cannot fail to close", e);
            }
        }
    }
}
