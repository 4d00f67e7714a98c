package dev.loomboard.limits;

import dev.loomboard.web.ExchangeAttributes;
import dev.loomboard.web.Problem;
import dev.loomboard.web.ProblemException;
import dev.loomboard.web.ReceivedBody;
import dev.loomboard.web.request.FilterOrder;
import java.io.ByteArrayOutputStream;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.http.codec.FormHttpMessageReader;
import org.springframework.http.codec.multipart.Part;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.stereotype.Component;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Bounds every body, on the wire and unpacked, and unpacks gzip, so that nothing behind it meets either. A body is read
 * when somebody behind asks for it: a caller who is refused before has sent it for nothing.
 */
@Component
final class RequestBodyFilter implements WebFilter, Ordered {

    private static final int CHUNK = 64 * 1024;
    private static final ResolvableType FORM =
            ResolvableType.forClassWithGenerics(MultiValueMap.class, String.class, String.class);

    private static final Scheduler UNPACKERS = Schedulers.newParallel("unpack", BackgroundWork.THREADS, true);

    private final UploadMemory memory = UploadMemory.ofHeap(Runtime.getRuntime().maxMemory());
    private final FormHttpMessageReader forms = new FormHttpMessageReader();

    RequestBodyFilter() {
        forms.setMaxInMemorySize(Math.toIntExact(BodyLimits.FORM.inflated()));
    }

    UploadMemory memory() {
        return memory;
    }

    @Override
    public int getOrder() {
        return FilterOrder.BODY;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        ServerHttpRequest request = exchange.getRequest();
        BodyLimits limits = BodyLimits.of(request.getPath().value());
        if (request.getHeaders().getContentLength() > limits.raw()) {
            return Mono.error(ReceivedBody.tooLarge("bytes on the wire", limits.raw()));
        }
        String encoding = request.getHeaders().getFirst(HttpHeaders.CONTENT_ENCODING);
        if (limits.file() && encoding == null) {
            return FileBodiesFilter.pass(exchange, chain, limits);
        }
        return switch (encoding == null ? "identity" : encoding.toLowerCase(Locale.ROOT)) {
            case "identity" -> bounded(exchange, chain, limits, false);
            case "gzip" -> bounded(exchange, chain, limits, true);
            default ->
                Mono.error(Problem.of(
                                415,
                                "encoding",
                                "Unsupported content encoding",
                                "Content-Encoding must be gzip or absent, is: " + encoding)
                        .asException());
        };
    }

    private Mono<Void> bounded(ServerWebExchange exchange, WebFilterChain chain, BodyLimits limits, boolean gzip) {
        UploadMemory.Share share = memory.share();
        BoundedRequest request = new BoundedRequest(exchange.getRequest(), limits, gzip, share);
        ExchangeAttributes.setBody(exchange, request::received);
        return chain.filter(new BoundedExchange(exchange, request, forms)).doFinally(end -> share.end());
    }

    /** Reads forms from the bounded request: the exchange that it decorates would read them from the original. */
    private static final class BoundedExchange extends ServerWebExchangeDecorator {

        private final BoundedRequest request;
        private final FormHttpMessageReader forms;

        BoundedExchange(ServerWebExchange exchange, BoundedRequest request, FormHttpMessageReader forms) {
            super(exchange);
            this.request = request;
            this.forms = forms;
        }

        @Override
        public ServerHttpRequest getRequest() {
            return request;
        }

        @Override
        public Mono<MultiValueMap<String, String>> getFormData() {
            return isForm()
                    ? forms.readMono(FORM, request, Map.of()).defaultIfEmpty(new LinkedMultiValueMap<>())
                    : Mono.just(new LinkedMultiValueMap<>());
        }

        /** No page takes files. */
        @Override
        public Mono<MultiValueMap<String, Part>> getMultipartData() {
            return Mono.just(new LinkedMultiValueMap<>());
        }

        private boolean isForm() {
            try {
                return MediaType.APPLICATION_FORM_URLENCODED.isCompatibleWith(
                        request.getHeaders().getContentType());
            } catch (InvalidMediaTypeException e) {
                return false;
            }
        }
    }

    /** Its body is received whole, into the heap, before any of it is passed on: it may then be read again. */
    private static final class BoundedRequest extends ServerHttpRequestDecorator {

        private final BodyLimits limits;
        private final boolean gzip;
        private final UploadMemory.Share share;
        private final HttpHeaders headers;
        private volatile @Nullable ReceivedBody received;

        BoundedRequest(ServerHttpRequest request, BodyLimits limits, boolean gzip, UploadMemory.Share share) {
            super(request);
            this.limits = limits;
            this.gzip = gzip;
            this.share = share;
            this.headers = gzip ? unpackedHeaders(request.getHeaders()) : request.getHeaders();
        }

        @Override
        public HttpHeaders getHeaders() {
            return headers;
        }

        @Override
        public Flux<DataBuffer> getBody() {
            return received().flatMapMany(BoundedRequest::buffers);
        }

        Mono<ReceivedBody> received() {
            return Mono.defer(() -> {
                ReceivedBody before = received;
                return before == null ? receive() : Mono.just(before);
            });
        }

        private Mono<ReceivedBody> receive() {
            long announced = getDelegate().getHeaders().getContentLength();
            if (limits.upload() && !share.receive(announced < 0 ? limits.raw() : announced)) {
                return Mono.error(noRoom());
            }
            Mono<byte[]> packed = collected(getDelegate().getBody(), limits.raw());
            Mono<ReceivedBody> body = gzip
                    // Unpacking is work; the event loop has connections to serve.
                    ? packed.publishOn(UNPACKERS).map(bytes -> ReceivedBody.gzip(bytes, limits.inflated()))
                    : packed.map(ReceivedBody::plain);
            return body.doOnNext(this::keep);
        }

        private void keep(ReceivedBody body) {
            if (limits.upload() && !share.unpack(body.size())) {
                throw noRoom();
            }
            received = body;
        }

        private static ProblemException noRoom() {
            return Problem.of(
                            503,
                            "uploads-busy",
                            "Too many uploads at once",
                            "There is no memory left for this upload until others are stored. Send it again in a few"
                                    + " seconds.")
                    .asException();
        }

        private static Flux<DataBuffer> buffers(ReceivedBody body) {
            if (body.size() == 0) {
                return Flux.empty();
            }
            return body.gzip()
                    ? DataBufferUtils.readInputStream(body::open, DefaultDataBufferFactory.sharedInstance, CHUNK)
                    : Flux.just(DefaultDataBufferFactory.sharedInstance.wrap(body.packed()));
        }

        private static HttpHeaders unpackedHeaders(HttpHeaders sent) {
            HttpHeaders headers = new HttpHeaders();
            headers.putAll(sent);
            headers.remove(HttpHeaders.CONTENT_ENCODING);
            headers.remove(HttpHeaders.CONTENT_LENGTH);
            return headers;
        }

        /**
         * Copied out of the network's buffers: a sender of single bytes would else hold a whole buffer for each. What is
         * collected are bytes, not buffers: a decoder behind asks for buffers that an error leaves over to be released, and
         * this one is by then.
         */
        private static Mono<byte[]> collected(Flux<DataBuffer> body, long limit) {
            return body.map(BoundedRequest::copied)
                    .collect(ByteArrayOutputStream::new, (all, bytes) -> add(all, bytes, limit))
                    .map(ByteArrayOutputStream::toByteArray);
        }

        private static byte[] copied(DataBuffer buffer) {
            byte[] bytes = new byte[buffer.readableByteCount()];
            buffer.read(bytes);
            DataBufferUtils.release(buffer);
            return bytes;
        }

        private static void add(ByteArrayOutputStream all, byte[] bytes, long limit) {
            if (all.size() + (long) bytes.length > limit) {
                throw ReceivedBody.tooLarge("bytes on the wire", limit);
            }
            all.writeBytes(bytes);
        }
    }
}
