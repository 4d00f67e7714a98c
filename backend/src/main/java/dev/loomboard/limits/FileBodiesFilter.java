package dev.loomboard.limits;

import dev.loomboard.kernel.Caller;
import dev.loomboard.web.ExchangeAttributes;
import dev.loomboard.web.ReceivedBody;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.http.codec.multipart.DefaultPartHttpMessageReader;
import org.springframework.http.codec.multipart.FormFieldPart;
import org.springframework.http.codec.multipart.MultipartHttpMessageReader;
import org.springframework.http.codec.multipart.Part;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Bodies that are files: they are passed on as they come, counted, and never held in the heap. Of a form that brings one, only a person
 * who signed in has anything read; its file is on the disk until the request is over.
 */
final class FileBodiesFilter {

    private static final int FIELD = 16 * 1024;
    private static final int FIELDS = 8;
    private static final ResolvableType PARTS =
            ResolvableType.forClassWithGenerics(MultiValueMap.class, String.class, Part.class);

    private FileBodiesFilter() {}

    static Mono<Void> pass(ServerWebExchange exchange, WebFilterChain chain, BodyLimits limits) {
        return Mono.usingWhen(
                Mono.fromSupplier(() -> new FileExchange(exchange, limits)),
                chain::filter,
                FileExchange::cleaned,
                (passed, error) -> passed.cleaned(),
                FileExchange::cleaned);
    }

    private static final class FileExchange extends ServerWebExchangeDecorator {

        private final ServerHttpRequest request;
        private final MultipartHttpMessageReader reader;
        private final AtomicReference<@Nullable MultiValueMap<String, Part>> read = new AtomicReference<>();

        FileExchange(ServerWebExchange exchange, BodyLimits limits) {
            super(exchange);
            this.request = new CountedRequest(exchange.getRequest(), limits);
            DefaultPartHttpMessageReader parts = new DefaultPartHttpMessageReader();
            parts.setMaxInMemorySize(FIELD);
            parts.setMaxDiskUsagePerPart(limits.raw());
            parts.setMaxParts(FIELDS);
            this.reader = new MultipartHttpMessageReader(parts);
        }

        @Override
        public ServerHttpRequest getRequest() {
            return request;
        }

        /** Its fields that are texts. */
        @Override
        public Mono<MultiValueMap<String, String>> getFormData() {
            return getMultipartData().map(parts -> {
                MultiValueMap<String, String> fields = new LinkedMultiValueMap<>();
                parts.toSingleValueMap().forEach((name, part) -> {
                    if (part instanceof FormFieldPart field) {
                        fields.add(name, field.value());
                    }
                });
                return fields;
            });
        }

        @Override
        public Mono<MultiValueMap<String, Part>> getMultipartData() {
            return Mono.defer(() -> {
                MultiValueMap<String, Part> before = read.get();
                if (before != null) {
                    return Mono.just(before);
                }
                if (!(ExchangeAttributes.caller(this) instanceof Caller.Person) || !isMultipart()) {
                    return Mono.just(new LinkedMultiValueMap<>());
                }
                return reader.readMono(PARTS, request, Map.of())
                        .defaultIfEmpty(new LinkedMultiValueMap<>())
                        .doOnNext(read::set);
            });
        }

        private boolean isMultipart() {
            try {
                return MediaType.MULTIPART_FORM_DATA.isCompatibleWith(
                        request.getHeaders().getContentType());
            } catch (InvalidMediaTypeException e) {
                return false;
            }
        }

        Mono<Void> cleaned() {
            MultiValueMap<String, Part> parts = read.getAndSet(null);
            return parts == null
                    ? Mono.empty()
                    : Flux.fromIterable(parts.values())
                            .flatMapIterable(same -> same)
                            .concatMap(part -> part.delete().onErrorComplete())
                            .then();
        }
    }

    private static final class CountedRequest extends ServerHttpRequestDecorator {

        private final BodyLimits limits;

        CountedRequest(ServerHttpRequest request, BodyLimits limits) {
            super(request);
            this.limits = limits;
        }

        @Override
        public Flux<DataBuffer> getBody() {
            AtomicLong bytes = new AtomicLong();
            return super.getBody().handle((piece, sink) -> {
                if (bytes.addAndGet(piece.readableByteCount()) > limits.raw()) {
                    DataBufferUtils.release(piece);
                    sink.error(ReceivedBody.tooLarge("bytes on the wire", limits.raw()));
                } else {
                    sink.next(piece);
                }
            });
        }
    }
}
