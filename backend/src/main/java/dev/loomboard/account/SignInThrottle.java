package dev.loomboard.account;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Slows guessing of passwords: after so many failures within a window a key must wait for the window's end. Keys are
 * of bounded number, the least used forgotten first, so that guessing cannot fill the memory either.
 */
final class SignInThrottle {

    /** Failures allowed for one account from one address; small, since only its owner and a guesser share the pair. */
    static final int PER_ACCOUNT_AND_ADDRESS = 8;

    /** Failures allowed from one address, whatever the accounts: many people may share one. */
    static final int PER_ADDRESS = 40;

    static final Duration WINDOW = Duration.ofMinutes(15);
    private static final int KEYS = 20_000;

    /** A count is written once, at its first failure, from which its window lasts. */
    private final Cache<String, AtomicInteger> failures;

    SignInThrottle(Ticker ticker) {
        this.failures = Caffeine.newBuilder()
                .expireAfterWrite(WINDOW)
                .ticker(ticker)
                .maximumSize(KEYS)
                .build();
    }

    boolean allows(String email, String address) {
        return count(pair(email, address)) < PER_ACCOUNT_AND_ADDRESS && count(address) < PER_ADDRESS;
    }

    void failed(String email, String address) {
        add(pair(email, address));
        add(address);
    }

    void succeeded(String email, String address) {
        failures.invalidate(pair(email, address));
    }

    private static String pair(String email, String address) {
        return address + " " + email;
    }

    private int count(String key) {
        AtomicInteger seen = failures.getIfPresent(key);
        return seen == null ? 0 : seen.get();
    }

    private void add(String key) {
        failures.get(key, first -> new AtomicInteger()).incrementAndGet();
    }
}
