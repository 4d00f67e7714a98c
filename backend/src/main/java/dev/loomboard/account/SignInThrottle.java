package dev.loomboard.account;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Slows guessing of passwords: after so many failures within a window a key must wait for the window's end. Keys are
 * of bounded number, the least recently used forgotten first, so that guessing cannot fill the memory either.
 */
final class SignInThrottle {

    /** Failures allowed for one account from one address; small, since only its owner and a guesser share the pair. */
    static final int PER_ACCOUNT_AND_ADDRESS = 8;

    /** Failures allowed from one address, whatever the accounts: many people may share one. */
    static final int PER_ADDRESS = 40;

    static final Duration WINDOW = Duration.ofMinutes(15);
    private static final int KEYS = 20_000;

    private record Failures(Instant since, int count) {}

    private final Map<String, Failures> failures = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Failures> eldest) {
            return size() > KEYS;
        }
    };

    synchronized boolean allows(String email, String address, Instant now) {
        return count(pair(email, address), now) < PER_ACCOUNT_AND_ADDRESS && count(address, now) < PER_ADDRESS;
    }

    synchronized void failed(String email, String address, Instant now) {
        add(pair(email, address), now);
        add(address, now);
    }

    synchronized void succeeded(String email, String address) {
        failures.remove(pair(email, address));
    }

    private static String pair(String email, String address) {
        return address + " " + email;
    }

    private int count(String key, Instant now) {
        Failures seen = failures.get(key);
        return seen == null || over(seen, now) ? 0 : seen.count();
    }

    private void add(String key, Instant now) {
        failures.merge(
                key,
                new Failures(now, 1),
                (seen, one) -> over(seen, now) ? one : new Failures(seen.since(), seen.count() + 1));
    }

    private static boolean over(Failures seen, Instant now) {
        return !now.isBefore(seen.since().plus(WINDOW));
    }
}
