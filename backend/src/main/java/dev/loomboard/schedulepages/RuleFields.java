package dev.loomboard.schedulepages;

import dev.loomboard.kernel.WireName;
import dev.loomboard.schedule.Overlap;
import dev.loomboard.schedule.Schedule;
import dev.loomboard.web.Problem.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a schedule as they were typed.
 *
 * @param overlap empty: firings are skipped
 * @param mostHours empty: no maximum
 */
public record RuleFields(String overlap, String mostHours) {

    static final int MOST_HOURS = 168;

    static final RuleFields BLANK = new RuleFields(Overlap.SKIP.wire(), "");

    static RuleFields of(Schedule.Rules rules) {
        return new RuleFields(rules.overlap().wire(), Objects.toString(rules.mostHours(), ""));
    }

    static RuleFields typed(UnaryOperator<String> field) {
        return new RuleFields(
                field.apply("overlap"), field.apply("mostHours").strip());
    }

    List<FieldError> problems() {
        List<FieldError> found = new ArrayList<>();
        if (!overlap.isEmpty() && WireName.find(Overlap.class, overlap).isEmpty()) {
            found.add(new FieldError("overlap", "must be one of " + WireName.choices(Overlap.class)));
        }
        if (!mostHours.isEmpty() && hours(mostHours, MOST_HOURS) == null) {
            found.add(new FieldError(
                    "mostHours",
                    "must be whole hours from 1 to " + MOST_HOURS + ", or empty for no maximum, is: " + mostHours));
        }
        return found;
    }

    /** What is not typed as it must be counts as not typed. */
    Schedule.Rules rules() {
        return new Schedule.Rules(
                WireName.find(Overlap.class, overlap).orElse(Overlap.SKIP), hours(mostHours, MOST_HOURS));
    }

    private static @Nullable Integer hours(String typed, int most) {
        int hours = typed.matches("\\d{1,4}") ? Integer.parseInt(typed) : 0;
        return hours < 1 || hours > most ? null : hours;
    }
}
