package dev.loomboard.limits;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.StartupRefusal;
import dev.loomboard.web.Problem;
import dev.loomboard.web.ProblemException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How many requests a caller may send: agents, tokens and persons each by themselves, callers that are not known by their
 * address. What is remembered is of bounded size; who was forgotten has a full allowance.
 */
public final class RequestLimits {

    private static final long SECOND = 1_000_000_000L;
    private static final long KEYS = 100_000;
    /** An allowance that was not used for so long is full: at most twenty thousand are saved, at least one a second comes. */
    private static final Duration FORGOTTEN_AFTER = Duration.ofHours(6);

    private final Rate perCaller;
    private final Rate perAddress;
    private final Ticker ticker;
    private final Cache<String, TokenBucket> buckets;

    /**
     * The number of requests at once after a pause, and the number a second in the long run.
     *
     * @param perSecond 0: as many as come
     */
    record Rate(int perSecond, int atOnce) {
        private static final int MOST = 1_000_000;

        Rate {
            if (perSecond < 0 || perSecond > MOST || atOnce < 1 || atOnce > MOST) {
                throw new StartupRefusal(
                        "A limit of requests is " + perSecond + " a second and " + atOnce + " at once.",
                        "Set LOOMBOARD_REQUESTS_PER_… to a number from 0 (as many as come) and LOOMBOARD_REQUESTS_AT_ONCE_PER_…"
                                + " to one from 1, each up to " + MOST + ".");
            }
        }

        private String words() {
            return "may send " + atOnce + " requests at once and " + perSecond
                    + " a second after that, and has sent more";
        }
    }

    RequestLimits(Rate perCaller, Rate perAddress, Ticker ticker) {
        this.perCaller = perCaller;
        this.perAddress = perAddress;
        this.ticker = ticker;
        this.buckets = Caffeine.newBuilder()
                .maximumSize(KEYS)
                .expireAfterAccess(FORGOTTEN_AFTER)
                .ticker(ticker)
                .build();
    }

    /** Counts a request of a caller who has proven who it is, or of nobody in particular. Empty: it may go on. */
    Optional<ProblemException> refusal(Caller caller, @Nullable InetSocketAddress remote) {
        return switch (caller) {
            case Caller.Anonymous nobody -> ofStranger(remote);
            case Caller.Agent agent -> take(perCaller, agent.id(), "This agent");
            case Caller.Token token -> take(perCaller, token.id(), "This token");
            case Caller.Person person -> take(perCaller, person.id(), "This account");
            case Caller.Monitor monitor -> take(perCaller, "monitor", "The metrics token");
        };
    }

    /** Counts a request whose sender is not known, such as one with a key that is not good. Empty: it may go on. */
    public Optional<ProblemException> ofStranger(@Nullable InetSocketAddress remote) {
        return take(perAddress, ClientAddress.group(remote), "This address");
    }

    private Optional<ProblemException> take(Rate rate, String key, String who) {
        if (rate.perSecond() == 0) {
            return Optional.empty();
        }
        long now = ticker.read();
        long wait = buckets.get(key, first -> new TokenBucket(now)).take(now, SECOND / rate.perSecond(), rate.atOnce());
        return wait == 0 ? Optional.empty() : Optional.of(tooMany(rate, who, Duration.ofNanos(wait)));
    }

    private static ProblemException tooMany(Rate rate, String who, Duration wait) {
        Duration after = Duration.ofSeconds(wait.plusNanos(SECOND - 1).toSeconds());
        return Problem.of(
                        429,
                        "too-many-requests",
                        "Too many requests",
                        who + " " + rate.words() + ". Wait " + after.toSeconds()
                                + " s, and then send no more than that. Requests with a sign-in, key or token count separately"
                                + " from the address.")
                .asException(after);
    }
}
