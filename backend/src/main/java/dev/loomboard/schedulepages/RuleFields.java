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
 * @param alarmHours empty: no alarm
 */
public record RuleFields(String overlap, String mostHours, String alarmHours) {

    static final int MOST_HOURS = 168;

    /** More than a year, for a schedule that fires once a year. */
    static final int MOST_ALARM_HOURS = 9000;

    /** A new schedule is nightly: its alarm leaves a night of 24 h, or of 25 when clocks go back, an hour for runs of different length. */
    static final RuleFields BLANK = new RuleFields(Overlap.SKIP.wire(), "", "26");

    static RuleFields of(Schedule.Rules rules) {
        return new RuleFields(rules.overlap().wire(), Objects.toString(rules.mostHours(), ""),
                Objects.toString(rules.alarmHours(), ""));
    }

    static RuleFields typed(UnaryOperator<String> field) {
        return new RuleFields(
                field.apply("overlap"),
                field.apply("mostHours").strip(),
                field.apply("alarmHours").strip());
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
        if (!alarmHours.isEmpty() && hours(alarmHours, MOST_ALARM_HOURS) == null) {
            found.add(new FieldError(
                    "alarmHours",
                    "must be whole hours from 1 to " + MOST_ALARM_HOURS + ", or empty for no alarm, is: " + alarmHours));
        }
        return found;
    }

    /** What is not typed as it must be counts as not typed. */
    Schedule.Rules rules() {
        return new Schedule.Rules(
                WireName.find(Overlap.class, overlap).orElse(Overlap.SKIP),
                hours(mostHours, MOST_HOURS),
                hours(alarmHours, MOST_ALARM_HOURS));
    }

    private static @Nullable Integer hours(String typed, int most) {
        int hours = typed.matches("\\d{1,4}") ? Integer.parseInt(typed) : 0;
        return hours < 1 || hours > most ? null : hours;
    }
}
