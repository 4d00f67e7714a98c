package dev.loomboard.web;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.DatabaseListener;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Pages as nobody in particular sees them, kept until what they show changes, and compressed. However many people open the same one, it is
 * made once. Callers who signed in or sent a key never get one of these, and none of theirs is kept. Neither is an error.
 *
 * <p>The database says when a transaction changed something (channel {@code content_changed}). While it is not heard, and where things
 * change from second to second, a page is kept for a moment all the same: what is new is on it that much later at most. No page is kept
 * for longer than a minute, because some say how long ago something was; one that is still asked for by then is made anew before.
 */
@Component
public class PageCache implements DatabaseListener {

    /** Of all pages together. */
    static final long MOST_BYTES = 32L << 20;

    /** What an entry takes beside its page and its address. */
    private static final int OVERHEAD = 1000;

    static final Duration LONGEST = Duration.ofMinutes(1);

    /** Pages that are made anew at a time before somebody has to wait for them. */
    private static final int MOST_RENEWED = 2;

    /**
     * @param path with the query, as it was asked for
     * @param fragment the part that htmx asks for
     */
    private record Key(String path, boolean fragment) {}

    /**
     * @param answer compressed, if that is worth it
     * @param changes there had been when it was begun
     * @param begun nanoseconds
     * @param renewed whether a newer one is being made
     */
    private record Cached(ResponseEntity<byte[]> answer, long changes, long begun, AtomicBoolean renewed) {}

    private final @Nullable AsyncCache<Key, Cached> pages;
    private final Ticker ticker;
    private final long moment;
    private final AtomicLong changes = new AtomicLong();
    private final Semaphore renewals = new Semaphore(MOST_RENEWED);
    private volatile boolean hears;

    /** @param moment zero: nothing is kept */
    @Autowired
    PageCache(@Value("${loomboard.pages.kept-for}") Duration moment) {
        this(moment, Ticker.systemTicker());
    }

    PageCache(Duration moment, Ticker ticker) {
        this.moment = moment.toNanos();
        this.ticker = ticker;
        this.pages = moment.isZero()
                ? null
                : Caffeine.newBuilder()
                        .expireAfterWrite(moment.compareTo(LONGEST) > 0 ? moment : LONGEST)
                        .ticker(ticker)
                        .maximumWeight(MOST_BYTES)
                        .weigher(PageCache::weight)
                        .buildAsync();
    }

    @Override
    public String channel() {
        return "content_changed";
    }

    @Override
    public void begins() {
        changes.incrementAndGet();
        hears = true;
    }

    @Override
    public void says(String text) {
        changes.incrementAndGet();
    }

    @Override
    public void ends() {
        hears = false;
    }

    /** @param make a page that says the same to everybody who is not known, and has no form with a token */
    public Mono<ResponseEntity<byte[]>> page(
            PageContext shell, Function<PageContext, Mono<ResponseEntity<byte[]>>> make) {
        if (pages == null || !(shell.caller() instanceof Caller.Anonymous)) {
            return make.apply(shell);
        }
        AsyncCache<Key, Cached> all = pages;
        Key key = new Key(shell.path(), shell.htmx());
        Supplier<CompletableFuture<Cached>> made = () -> made(() -> make.apply(shell.forAnybody()));
        // One who goes away must not take the page from those who wait for it too.
        return Mono.fromFuture(() -> kept(all, key, made), true).map(Cached::answer);
    }

    private CompletableFuture<Cached> kept(
            AsyncCache<Key, Cached> all, Key key, Supplier<CompletableFuture<Cached>> made) {
        CompletableFuture<Cached> had = all.getIfPresent(key);
        if (had == null || !isGood(had)) {
            return Objects.requireNonNull(
                    all.asMap().compute(key, (of, before) -> before != null && isGood(before) ? before : made.get()));
        }
        if (had.isDone() && age(had.join()) > LONGEST.toNanos() / 2) {
            renew(all, key, had.join(), made);
        }
        return had;
    }

    /** One that is being made is. */
    private boolean isGood(CompletableFuture<Cached> made) {
        return !made.isDone() || !made.isCompletedExceptionally() && isGood(made.join());
    }

    private boolean isGood(Cached page) {
        long age = age(page);
        return age < moment || hears && page.changes == changes.get() && age < LONGEST.toNanos();
    }

    private long age(Cached page) {
        return ticker.read() - page.begun;
    }

    private void renew(AsyncCache<Key, Cached> all, Key key, Cached page, Supplier<CompletableFuture<Cached>> made) {
        if (!renewals.tryAcquire()) {
            return;
        }
        if (!page.renewed.compareAndSet(false, true)) {
            renewals.release();
            return;
        }
        CompletableFuture<Cached> newer = made.get();
        newer.whenComplete((one, error) -> {
            renewals.release();
            if (one != null) {
                all.put(key, newer);
            }
        });
    }

    private CompletableFuture<Cached> made(Supplier<Mono<ResponseEntity<byte[]>>> make) {
        long before = changes.get();
        long begun = ticker.read();
        return Mono.defer(make)
                .flatMap(PageCache::packed)
                .map(answer -> new Cached(answer, before, begun, new AtomicBoolean()))
                .toFuture();
    }

    private static int weight(Key key, Cached page) {
        byte[] body = page.answer.getBody();
        return OVERHEAD + 2 * key.path().length() + (body == null ? 0 : body.length);
    }

    /** With the tag of its content, so that a browser that has the page already gets 304. */
    private static Mono<ResponseEntity<byte[]>> packed(ResponseEntity<byte[]> page) {
        byte[] body = page.getBody();
        if (body == null) {
            return Mono.just(page);
        }
        String tag = EntityTag.of(body);
        return Gzip.isWorthIt(body.length)
                ? Gzip.answer(body).map(gzip -> answer(page, tag, gzip, Gzip.NAME))
                : Mono.just(answer(page, tag, body, null));
    }

    private static ResponseEntity<byte[]> answer(
            ResponseEntity<byte[]> page, String tag, byte[] body, @Nullable String encoding) {
        return ResponseEntity.status(page.getStatusCode())
                .headers(headers -> {
                    headers.addAll(page.getHeaders());
                    if (encoding != null) {
                        headers.set(HttpHeaders.CONTENT_ENCODING, encoding);
                        Gzip.vary(headers);
                    }
                })
                .eTag(tag)
                .body(body);
    }
}
