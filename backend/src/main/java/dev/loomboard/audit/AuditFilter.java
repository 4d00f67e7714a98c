package dev.loomboard.audit;

import dev.loomboard.web.FormState;
import dev.loomboard.web.Problem.FieldError;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which rows of the audit log are asked for.
 *
 * @param form as it was typed, with what is wrong about it
 * @param actor external id or name of who did it; empty: anybody
 * @param action whole, or what stands before its first dot; empty: whatever
 * @param from not before; null: from the first
 * @param until before; null: to the last
 * @param before rows with a smaller number; of the newest page {@link Long#MAX_VALUE}
 */
public record AuditFilter(
        FormState form,
        String actor,
        String action,
        @Nullable Instant from,
        @Nullable Instant until,
        long before) {

    private static final Pattern ACTION = Pattern.compile("[a-z]{1,40}(\\.[a-z-]{1,40})?");
    private static final int LONGEST_ACTOR = 80;
    private static final List<String> FIELDS = List.of("actor", "action", "from", "to");

    /** @param query the address's, of which other fields are passed over */
    public static AuditFilter of(Map<String, String> query) {
        List<FieldError> problems = new ArrayList<>();
        String actor = query.getOrDefault("actor", "").strip();
        if (actor.length() > LONGEST_ACTOR) {
            problems.add(new FieldError("actor", "must have at most " + LONGEST_ACTOR + " characters"));
        }
        String action = query.getOrDefault("action", "").strip();
        if (!action.isEmpty() && !ACTION.matcher(action).matches()) {
            problems.add(new FieldError("action", "must be such as machine or machine.register"));
        }
        Instant from = day(problems, "from", query, 0);
        Instant until = day(problems, "to", query, 1);
        long before = number(problems, query.getOrDefault("before", ""));
        FormState form = FormState.with(FIELDS.stream()
                .filter(query::containsKey)
                .collect(Collectors.toMap(field -> field, field -> query.getOrDefault(field, ""))));
        return new AuditFilter(form.refused(problems), actor, action, from, until, before);
    }

    /**
     * The same question as a query of an address, without its first character.
     *
     * @param key the page after this row
     */
    public String query(@Nullable Long key) {
        return Stream.concat(
                        FIELDS.stream()
                                .filter(field -> !form.value(field).isEmpty())
                                .map(field ->
                                        field + "=" + URLEncoder.encode(form.value(field), StandardCharsets.UTF_8)),
                        Stream.ofNullable(key).map(k -> "before=" + k))
                .collect(Collectors.joining("&"));
    }

    public boolean isFirstPage() {
        return before == Long.MAX_VALUE;
    }

    private static @Nullable Instant day(
            List<FieldError> problems, String field, Map<String, String> query, int daysLater) {
        String typed = query.getOrDefault(field, "").strip();
        if (typed.isEmpty()) {
            return null;
        }
        try {
            LocalDate day = LocalDate.parse(typed);
            if (day.getYear() >= 2000 && day.getYear() < 2200) {
                return day.plusDays(daysLater).atStartOfDay(ZoneOffset.UTC).toInstant();
            }
        } catch (DateTimeException e) {
            // said below, as of a year that cannot be meant
        }
        problems.add(new FieldError(field, "must be a day from 2000 on, such as 2026-11-21"));
        return null;
    }

    private static long number(List<FieldError> problems, String typed) {
        if (typed.isEmpty()) {
            return Long.MAX_VALUE;
        }
        if (typed.matches("[0-9]{1,18}")) {
            return Long.parseLong(typed);
        }
        problems.add(new FieldError("before", "must be the number of a row"));
        return Long.MAX_VALUE;
    }
}
