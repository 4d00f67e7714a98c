package dev.loomboard.openid;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import java.util.concurrent.atomic.AtomicInteger;

/** Bounds how many browsers of one address are sent to the provider while a visit lasts: each writes a row. */
final class VisitThrottle {

    /** An office may share an address. */
    static final int PER_ADDRESS = 200;

    private static final int KEYS = 20_000;

    /** A count is written once, at its first time, from which its window lasts. */
    private final Cache<String, AtomicInteger> visits;

    VisitThrottle(Ticker ticker) {
        this.visits = Caffeine.newBuilder()
                .expireAfterWrite(Visit.LIFE)
                .ticker(ticker)
                .maximumSize(KEYS)
                .build();
    }

    /** Counts the visit; false: it is one too many. */
    boolean allows(String address) {
        return visits.get(address, first -> new AtomicInteger()).incrementAndGet() <= PER_ADDRESS;
    }
}
