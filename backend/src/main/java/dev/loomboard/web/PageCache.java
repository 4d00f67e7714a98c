package dev.loomboard.web;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.loomboard.kernel.Caller;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Pages as nobody in particular sees them, kept for a moment: however many people open the same one, it is made once, and
 * what is new in the database is on it that much later at most. Callers who signed in or sent a key never get one of these,
 * and none of theirs is kept. Neither is an error.
 */
@Component
public class PageCache {

    /** Of all pages together. */
    static final long MOST_BYTES = 32L << 20;

    /** What an entry takes beside its page and its address. */
    private static final int OVERHEAD = 500;

    /**
     * @param path with the query, as it was asked for
     * @param fragment the part that htmx asks for
     */
    private record Key(String path, boolean fragment) {}

    private final @Nullable AsyncCache<Key, ResponseEntity<byte[]>> pages;

    /** @param keptFor zero: nothing is kept */
    @Autowired
    PageCache(@Value("${loomboard.pages.kept-for}") Duration keptFor) {
        this(keptFor, Ticker.systemTicker());
    }

    PageCache(Duration keptFor, Ticker ticker) {
        this.pages = keptFor.isZero()
                ? null
                : Caffeine.newBuilder()
                        .expireAfterWrite(keptFor)
                        .ticker(ticker)
                        .maximumWeight(MOST_BYTES)
                        .weigher(PageCache::weight)
                        .buildAsync();
    }

    /** @param make a page that says the same to everybody who is not known, and has no form with a token */
    public Mono<ResponseEntity<byte[]>> page(
            PageContext shell, Function<PageContext, Mono<ResponseEntity<byte[]>>> make) {
        if (pages == null || !(shell.caller() instanceof Caller.Anonymous)) {
            return make.apply(shell);
        }
        Key key = new Key(shell.path(), shell.htmx());
        // One who goes away must not take the page from those who wait for it too.
        return Mono.fromFuture(
                () -> pages.get(
                        key,
                        (of, executor) -> make.apply(shell.forAnybody())
                                .map(PageCache::tagged)
                                .toFuture()),
                true);
    }

    private static int weight(Key key, ResponseEntity<byte[]> page) {
        byte[] body = page.getBody();
        return OVERHEAD + 2 * key.path().length() + (body == null ? 0 : body.length);
    }

    /** So that a browser that has the page already gets 304. */
    private static ResponseEntity<byte[]> tagged(ResponseEntity<byte[]> page) {
        byte[] body = page.getBody();
        return body == null
                ? page
                : ResponseEntity.status(page.getStatusCode())
                        .headers(headers -> headers.addAll(page.getHeaders()))
                        .eTag(EntityTag.of(body))
                        .body(body);
    }
}
