package dev.loomboard.web.request;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * The name of a request: in its answer, in what it makes the service log, and in what a person sees of an error. It travels in
 * the answer's header and, for code without an exchange, in Reactor's context.
 */
public final class RequestId {

    public static final String HEADER = "X-Request-Id";

    private static final String LOGGED_AS = "requestId";
    private static final Pattern SANE = Pattern.compile("[A-Za-z0-9._-]{8,64}");

    private RequestId() {}

    /** @param proxys what our own proxy calls the request; null: there is no such proxy, or it does not say */
    public static String of(@Nullable String proxys) {
        return proxys != null && SANE.matcher(proxys).matches()
                ? proxys
                : HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    }

    public static Context in(Context context, String id) {
        return context.put(RequestId.class, id);
    }

    /** Logs with the id of the request that this is a part of; a part of none, such as a job, logs without. */
    public static Mono<Void> logged(Runnable line) {
        return Mono.deferContextual(context -> {
            logged(context.<String>getOrDefault(RequestId.class, null), line);
            return Mono.empty();
        });
    }

    static void logged(@Nullable String id, Runnable line) {
        if (id == null) {
            line.run();
            return;
        }
        try (MDC.MDCCloseable named = MDC.putCloseable(LOGGED_AS, id)) {
            line.run();
        }
    }
}
