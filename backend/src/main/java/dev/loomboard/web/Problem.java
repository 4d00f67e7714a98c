package dev.loomboard.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loomboard.kernel.FieldChecks;
import dev.loomboard.kernel.WireName;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An error as RFC 9457 has it, with the fields at fault. A controller that refuses a request returns
 * {@code Mono.error(problem.asException())}; only the one error place turns it into an answer.
 *
 * @param type names the kind: {@link Urls#problem}
 * @param detail what is wrong, where, and how to mend it
 * @param errors one entry per field at fault
 * @param requestId by which the request is found in the service's log
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Problem(
        String type,
        String title,
        int status,
        @Nullable String detail,
        @Nullable String instance,
        List<FieldError> errors,
        @Nullable String requestId) {

    /** @param field path of the field as the sender wrote it, such as {@code servers[0].name} */
    public record FieldError(String field, String message) {

        public FieldError {
            field = whole(field);
            message = whole(message);
        }

        /** Of a text that should be one of an enum's words. */
        public static FieldError notOneOf(String field, Class<? extends WireName> type, String text) {
            return new FieldError(field, FieldChecks.notOneOf(type, text));
        }

        /** What is wrong with one field, of all that is wrong; null: nothing. */
        public static @Nullable String of(String field, List<FieldError> problems) {
            List<String> found = problems.stream()
                    .filter(p -> p.field().equals(field))
                    .map(FieldError::message)
                    .toList();
            return found.isEmpty() ? null : String.join("; ", found);
        }
    }

    public Problem {
        detail = detail == null ? null : whole(detail);
        errors = List.copyOf(errors);
    }

    /** What was sent may be repeated here; half a surrogate pair in it could not be written. */
    private static String whole(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    public static Problem of(int status, String kind, String title, @Nullable String detail) {
        return new Problem(Urls.problem(kind), title, status, detail, null, List.of(), null);
    }

    public static Problem notFound() {
        return of(404, "not-found", "Not found", "This page does not exist, or you may not see it.");
    }

    /** @param why it is not for the owner of a workspace, and what to do */
    public static Problem administratorsOnly(String why) {
        return of(403, "administrators-only", "Only for administrators", why);
    }

    public static Problem conflict(String kind, String detail) {
        return of(409, kind, "Conflict", detail);
    }

    public static Problem gone(String kind, String detail) {
        return of(410, kind, "Never acceptable", detail);
    }

    /** Well-formed, but a field's value cannot be accepted. */
    public static Problem invalid(List<FieldError> errors) {
        String names = String.join(
                "; ", errors.stream().map(e -> e.field() + " " + e.message()).toList());
        return new Problem(Urls.problem("invalid"), "A field cannot be accepted", 422, names, null, errors, null);
    }

    public static Problem invalid(String field, String message) {
        return invalid(List.of(new FieldError(field, message)));
    }

    public ProblemException asException() {
        return new ProblemException(this, null);
    }

    /** @param retryAfter when it is worth trying again */
    public ProblemException asException(Duration retryAfter) {
        return new ProblemException(this, retryAfter);
    }

    public Problem at(String path, @Nullable String request) {
        return new Problem(type, title, status, detail, path, errors, request);
    }
}
