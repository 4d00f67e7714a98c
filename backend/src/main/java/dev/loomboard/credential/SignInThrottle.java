package dev.loomboard.credential;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Slows guessing of passwords: after a number of failures within a window a key must wait for the window's end. Keys are
 * of bounded number, the least used forgotten first, so that guessing cannot fill the memory either.
 */
public final class SignInThrottle {

    /** Failures allowed for one account from one address; small, since only its owner and a guesser share the pair. */
    public static final int PER_ACCOUNT_AND_ADDRESS = 8;

    /** Failures allowed from one address, whatever the accounts: many people may share one. */
    static final int PER_ADDRESS = 40;

    /** Failures allowed for one account, from all addresses together: many addresses do not speed up guessing. */
    static final int PER_ACCOUNT = 100;

    /** Failures allowed to a browser that has signed in before; only its own count, since others cannot be it. */
    public static final int PER_DEVICE = 8;

    /** Failures noted in the audit log, whosever they are: a guesser is not to fill the database. */
    static final int NOTED = 200;

    public static final Duration WINDOW = Duration.ofMinutes(15);

    /** The answer to a caller who must wait. */
    public static final String TOO_MANY = "Too many attempts failed. Try again in " + WINDOW.toMinutes() + " minutes.";

    private static final int KEYS = 20_000;
    private static final String ALL = "all";

    /** A count is written once, at its first failure, from which its window lasts. */
    private final Cache<String, AtomicInteger> failures;

    SignInThrottle(Ticker ticker) {
        this.failures = Caffeine.newBuilder()
                .expireAfterWrite(WINDOW)
                .ticker(ticker)
                .maximumSize(KEYS)
                .build();
    }

    /**
     * Who tries.
     *
     * @param address or group of addresses that it comes from
     * @param device by which the browser is known to the account; null: it never signed in there
     */
    public record Attempt(
            String email, String address, @Nullable String device) {

        /** Somebody signed in who is asked for the current password: counted apart, wherever from. */
        public static Attempt inSession(String account) {
            return new Attempt("", "", "session of " + account);
        }

        private List<Budget> budgets() {
            return device == null
                    ? List.of(
                            new Budget("pair " + address + " " + email, PER_ACCOUNT_AND_ADDRESS),
                            new Budget("address " + address, PER_ADDRESS),
                            new Budget("account " + email, PER_ACCOUNT))
                    : List.of(new Budget("device " + device, PER_DEVICE));
        }
    }

    private record Budget(String key, int failures) {}

    public boolean allows(Attempt attempt) {
        return attempt.budgets().stream().allMatch(budget -> count(budget.key()) < budget.failures());
    }

    /** True when the failure is one of those that are noted. */
    public boolean failed(Attempt attempt) {
        attempt.budgets().forEach(budget -> add(budget.key()));
        return add(ALL) <= NOTED;
    }

    /** Forgives what only the attempt's owner can have done: not the failures of others at its address or account. */
    public void succeeded(Attempt attempt) {
        failures.invalidate(attempt.budgets().getFirst().key());
    }

    private int count(String key) {
        AtomicInteger seen = failures.getIfPresent(key);
        return seen == null ? 0 : seen.get();
    }

    private int add(String key) {
        return failures.get(key, first -> new AtomicInteger()).incrementAndGet();
    }
}
