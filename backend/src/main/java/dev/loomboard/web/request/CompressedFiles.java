package dev.loomboard.web.request;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.loomboard.web.Gzip;
import java.io.IOException;
import java.util.zip.Deflater;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaTypeFactory;
import org.springframework.web.reactive.resource.HttpResource;
import org.springframework.web.reactive.resource.ResourceTransformer;
import org.springframework.web.reactive.resource.ResourceTransformerChain;
import org.springframework.web.reactive.resource.TransformedResource;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Sends the files of the front end compressed to readers who take that. Each is compressed once. */
final class CompressedFiles implements ResourceTransformer {

    /** More than there are. */
    private static final int MOST = 200;

    private final Cache<Resource, Resource> made =
            Caffeine.newBuilder().maximumSize(MOST).build();

    @Override
    public Mono<Resource> transform(ServerWebExchange exchange, Resource file, ResourceTransformerChain chain) {
        if (MediaTypeFactory.getMediaType(file).filter(Gzip::shortens).isEmpty()) {
            return chain.transform(exchange, file);
        }
        Gzip.vary(exchange.getResponse().getHeaders());
        if (!Gzip.isAsked(exchange.getRequest())) {
            return chain.transform(exchange, file);
        }
        Resource before = made.getIfPresent(file);
        return before != null
                ? Mono.just(before)
                : chain.transform(exchange, file)
                        .flatMap(plain ->
                                Mono.fromCallable(() -> compressed(plain)).subscribeOn(Schedulers.boundedElastic()))
                        .doOnNext(shorter -> made.put(file, shorter));
    }

    private static Resource compressed(Resource plain) throws IOException {
        return new CompressedResource(plain, Gzip.of(plain.getContentAsByteArray(), Deflater.BEST_COMPRESSION));
    }

    private static final class CompressedResource extends TransformedResource implements HttpResource {

        CompressedResource(Resource plain, byte[] content) {
            super(plain, content);
        }

        @Override
        public HttpHeaders getResponseHeaders() {
            HttpHeaders headers = new HttpHeaders();
            headers.set(HttpHeaders.CONTENT_ENCODING, Gzip.NAME);
            return headers;
        }
    }
}
