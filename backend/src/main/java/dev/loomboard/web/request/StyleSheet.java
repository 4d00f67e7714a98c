package dev.loomboard.web.request;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.core.io.Resource;
import org.springframework.web.reactive.resource.ResourceTransformer;
import org.springframework.web.reactive.resource.ResourceTransformerChain;
import org.springframework.web.reactive.resource.TransformedResource;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Puts the style sheets that {@code css/all.css} imports in the place of its lines, so that a page loads one. */
final class StyleSheet implements ResourceTransformer {

    private static final String ALL = "all.css";
    private static final Pattern IMPORT = Pattern.compile("@import \"([a-z-]+\\.css)\";\n");

    private final AtomicReference<Resource> made = new AtomicReference<>();

    @Override
    public Mono<Resource> transform(ServerWebExchange exchange, Resource file, ResourceTransformerChain chain) {
        return ALL.equals(file.getFilename()) ? once(file) : chain.transform(exchange, file);
    }

    /** The program's files do not change while it runs. */
    private Mono<Resource> once(Resource file) {
        Resource before = made.get();
        return before != null
                ? Mono.just(before)
                : Mono.fromCallable(() -> whole(file))
                        .subscribeOn(Schedulers.boundedElastic())
                        .doOnNext(made::set);
    }

    private static Resource whole(Resource all) throws IOException {
        String text = IMPORT.matcher(all.getContentAsString(StandardCharsets.UTF_8))
                .replaceAll(found -> Matcher.quoteReplacement(imported(all, found.group(1))));
        return new TransformedResource(all, text.getBytes(StandardCharsets.UTF_8));
    }

    private static String imported(Resource all, String name) {
        try {
            return all.createRelative(name).getContentAsString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(name + ", which css/all.css imports, cannot be read", e);
        }
    }
}
