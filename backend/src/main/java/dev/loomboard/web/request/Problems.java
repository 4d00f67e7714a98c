package dev.loomboard.web.request;

import dev.loomboard.kernel.FieldChecks;
import dev.loomboard.kernel.WireName;
import dev.loomboard.web.Problem;
import dev.loomboard.web.ProblemException;
import io.netty.channel.ChannelException;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcTimeoutException;
import io.r2dbc.spi.R2dbcTransientException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.support.WebExchangeBindException;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebInputException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.exc.ValueInstantiationException;

/** Says of any failure what it means to the sender. Failures of the service reveal no internals. */
public final class Problems {

    /** PostgreSQL's codes of a character not in UTF-8, one that JSON cannot hold, and a time out of its range. */
    private static final Set<String> UNSTORABLE = Set.of("22021", "22P05", "22008");

    /** Class of PostgreSQL's codes of connections that failed. */
    private static final String CONNECTION = "08";

    /** The server ends, has crashed, or is not ready yet. */
    private static final String SHUTDOWN = "57P";

    private Problems() {}

    static Problem of(Throwable error) {
        if (error instanceof ProblemException refused) {
            return refused.problem();
        }
        JacksonException json = causeOf(error, JacksonException.class);
        if (json != null && error instanceof ServerWebInputException) {
            return ofJson(json);
        }
        // A body is read deep inside: its own problem arrives wrapped by the decoder.
        ProblemException inner = causeOf(error, ProblemException.class);
        if (inner != null) {
            return inner.problem();
        }
        if (causeOf(error, DataBufferLimitException.class) != null) {
            return Problem.of(413, "too-large", "Too large", "The body is larger than this address accepts.");
        }
        return switch (error) {
            case WebExchangeBindException bind ->
                Problem.invalid(bind.getFieldErrors().stream()
                        .map(e -> new Problem.FieldError(e.getField(), String.valueOf(e.getDefaultMessage())))
                        .toList());
            case ResponseStatusException status -> ofStatus(status);
            case RejectedExecutionException busy -> busy();
            case Throwable other when isUnstorable(other) -> unstorable();
            case ChannelException slow -> tooSlow();
            case Throwable other when isConnectionLost(other) || isDatabaseAway(other) -> busy();
            case Throwable other ->
                Problem.of(
                        500,
                        "internal",
                        "Something went wrong here",
                        "The service failed and wrote the error to its log. Try again. If it fails again, report it.");
        };
    }

    /** The kind of a failure, for who counts them: there are as many as the code names. */
    public static String kindOf(Throwable error) {
        String type = of(error).type();
        return type.substring(type.lastIndexOf('/') + 1);
    }

    /** The last resort: readers refuse such text themselves, and name its field. */
    private static boolean isUnstorable(Throwable error) {
        R2dbcException refused = causeOf(error, R2dbcException.class);
        String state = refused == null ? null : refused.getSqlState();
        return state != null && UNSTORABLE.contains(state);
    }

    private static Problem unstorable() {
        return Problem.of(
                422,
                "unstorable",
                "Something cannot be stored",
                "A text has a character such as U+0000, or a time is too far away. Leave it out.");
    }

    private static Problem busy() {
        return Problem.of(
                503,
                "unavailable",
                "Not available right now",
                "The service is too busy or cannot reach its database. Try again in a few seconds.");
    }

    /** A connection could not be made or broke, whatever the framework wrapped that into: it says nothing of the request. */
    static boolean isConnectionLost(Throwable error) {
        R2dbcException refused = causeOf(error, R2dbcException.class);
        if (refused == null) {
            return false;
        }
        String state = refused.getSqlState();
        return state == null
                ? refused instanceof R2dbcNonTransientResourceException
                : state.startsWith(CONNECTION) || state.startsWith(SHUTDOWN);
    }

    /** What Netty's time limits throw of a body that does not come. */
    private static Problem tooSlow() {
        return Problem.of(408, "too-slow", "Too slow", "The request's body did not come in time. Send it again.");
    }

    private static boolean isDatabaseAway(Throwable error) {
        return error instanceof TimeoutException
                || error instanceof QueryTimeoutException
                || error instanceof TransientDataAccessException
                || error instanceof DataAccessResourceFailureException
                || causeOf(error, R2dbcTransientException.class) != null
                || causeOf(error, R2dbcTimeoutException.class) != null;
    }

    private static Problem ofStatus(ResponseStatusException error) {
        int status = error.getStatusCode().value();
        if (status == HttpStatus.NOT_FOUND.value()) {
            return Problem.notFound();
        }
        HttpStatus known = HttpStatus.resolve(status);
        String title = known == null ? "Refused" : known.getReasonPhrase();
        return Problem.of(status, "http-" + status, title, error.getReason());
    }

    /** Unreadable JSON is 400; readable JSON that does not fit the contract is 422 and names the field. */
    private static Problem ofJson(JacksonException error) {
        if (error instanceof InputCoercionException) { // readable, but a number that its field cannot hold
            return Problem.invalid(field(error), "cannot hold this number: " + firstLine(error.getOriginalMessage()));
        }
        if (error instanceof StreamReadException || error instanceof UnexpectedEndOfInputException) {
            return Problem.of(400, "malformed-json", "Malformed JSON", error.getOriginalMessage() + where(error));
        }
        if (error instanceof ValueInstantiationException && error.getCause() instanceof FieldChecks.Refused refused) {
            return Problem.invalid(field(error), refused.what());
        }
        return Problem.invalid(List.of(new Problem.FieldError(field(error), message(error))));
    }

    private static String message(JacksonException error) {
        return switch (error) {
            case UnrecognizedPropertyException unknown -> "is not a known field";
            case ValueInstantiationException refused
            when refused.getCause() != null ->
                "is refused: " + refused.getCause().getMessage();
            case MismatchedInputException wrong
            when wrong.getTargetType() != null && WireName.class.isAssignableFrom(wrong.getTargetType()) ->
                "must be one of " + WireName.choices(wrong.getTargetType().asSubclass(WireName.class));
            case JacksonException other -> "cannot be read: " + firstLine(other.getOriginalMessage());
        };
    }

    /** What of a body cannot be read, or the field that its record refused. */
    public static String field(JacksonException error) {
        String path = error.getPath().stream()
                .map(r -> r.getPropertyName() == null ? "[" + r.getIndex() + "]" : "." + r.getPropertyName())
                .collect(Collectors.joining());
        if (error instanceof ValueInstantiationException && error.getCause() instanceof FieldChecks.Refused refused) {
            path += "." + refused.field();
        }
        return path.startsWith(".") ? path.substring(1) : path.isEmpty() ? "(body)" : path;
    }

    /** Line and column in brackets; empty where they are not known. */
    public static String where(JacksonException error) {
        var location = error.getLocation();
        return location == null ? "" : " (line " + location.getLineNr() + ", column " + location.getColumnNr() + ")";
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse(text);
    }

    private static <T extends Throwable> @Nullable T causeOf(Throwable error, Class<T> type) {
        Throwable cause = error;
        for (int depth = 0; cause != null && depth < 20; depth++) {
            if (type.isInstance(cause)) {
                return type.cast(cause);
            }
            cause = cause.getCause();
        }
        return null;
    }
}
