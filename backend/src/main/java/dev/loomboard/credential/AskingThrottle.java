package dev.loomboard.credential;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Bounds how often strangers may ask for accounts and for mails, which costs the people who get the mails. As {@link SignInThrottle}
 * it forgets after a while, and its memory is bounded.
 */
public final class AskingThrottle {

    /** Times that one address may ask, whatever for: many people may share one. */
    public static final int PER_ADDRESS = 20;

    /** Mails to one person, over all callers. */
    public static final int PER_EMAIL = 3;

    private static final int KEYS = 20_000;

    /** A count is written once, at its first time, from which its window lasts. */
    private final Cache<String, AtomicInteger> times;

    public AskingThrottle(Ticker ticker, Duration window) {
        this.times = Caffeine.newBuilder()
                .expireAfterWrite(window)
                .ticker(ticker)
                .maximumSize(KEYS)
                .build();
    }

    /** Counts the attempt; false: it is one too many. */
    public boolean allows(String address) {
        return add("from " + address) <= PER_ADDRESS;
    }

    /** Counts the mail; false: it must not be sent, and the answer does not reveal that. */
    public boolean allowsMail(String email) {
        return add("to " + email) <= PER_EMAIL;
    }

    private int add(String key) {
        return times.get(key, first -> new AtomicInteger()).incrementAndGet();
    }
}
