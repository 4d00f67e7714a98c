package dev.loomboard.history;

import dev.loomboard.web.FormState;
import dev.loomboard.web.Problem.FieldError;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A note that was typed and is in order.
 *
 * @param build slug; null: about no build
 */
record NewNote(LocalDate day, @Nullable String build, String text) {

    static final int LONGEST = 2000;
    private static final LocalDate EARLIEST = LocalDate.of(1995, 1, 1);

    /** @param note null: see the form's problems */
    record Typed(FormState form, @Nullable NewNote note) {}

    static FormState blank(LocalDate today) {
        return FormState.with(Map.of("day", today.toString()));
    }

    static Typed of(FormState form) {
        List<FieldError> problems = new ArrayList<>();
        String text = form.value("note").strip();
        if (text.isEmpty()) {
            problems.add(new FieldError("note", "Say what you know."));
        } else if (text.length() > LONGEST) {
            problems.add(new FieldError("note", "At most " + LONGEST + " characters, it has " + text.length() + "."));
        }
        LocalDate day = day(form.value("day"));
        if (day == null) {
            problems.add(new FieldError("day", "Write the day as 2026-11-21."));
        }
        String build = form.value("build");
        return day == null || !problems.isEmpty()
                ? new Typed(form.refused(problems), null)
                : new Typed(form, new NewNote(day, build.isEmpty() ? null : build, text));
    }

    private static @Nullable LocalDate day(String text) {
        try {
            LocalDate day = LocalDate.parse(text.strip());
            return day.isBefore(EARLIEST) || day.getYear() > 9999 ? null : day;
        } catch (DateTimeParseException e) {
            return null;
        }
    }
}
