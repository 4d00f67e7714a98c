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
 * @param backfill empty: none
 */
public record RuleFields(String overlap, String mostHours, String alarmHours, String backfill) {

    static final int MOST_HOURS = 168;
    static final int MOST_BACKFILL = 20;

    /** More than a year, for a schedule that fires once a year. */
    static final int MOST_ALARM_HOURS = 9000;

    /** A new schedule is nightly: its firings are 24 h apart, 25 when clocks go back, and an hour is for runs of different length. */
    static final RuleFields BLANK = new RuleFields(Overlap.SKIP.wire(), "", "26", "");

    static RuleFields of(Schedule.Rules rules) {
        return new RuleFields(
                rules.overlap().wire(),
                Objects.toString(rules.mostHours(), ""),
                Objects.toString(rules.alarmHours(), ""),
                rules.backfill() == 0 ? "" : "" + rules.backfill());
    }

    static RuleFields typed(UnaryOperator<String> field) {
        return new RuleFields(
                field.apply("overlap"),
                field.apply("mostHours").strip(),
                field.apply("alarmHours").strip(),
                field.apply("backfill").strip());
    }

    List<FieldError> problems() {
        List<FieldError> found = new ArrayList<>();
        if (!overlap.isEmpty() && WireName.find(Overlap.class, overlap).isEmpty()) {
            found.add(new FieldError("overlap", "must be one of " + WireName.choices(Overlap.class)));
        }
        if (!mostHours.isEmpty() && whole(mostHours, MOST_HOURS) == null) {
            found.add(new FieldError(
                    "mostHours",
                    "must be whole hours from 1 to " + MOST_HOURS + ", or empty for no maximum, is: " + mostHours));
        }
        if (!alarmHours.isEmpty() && whole(alarmHours, MOST_ALARM_HOURS) == null) {
            found.add(new FieldError(
                    "alarmHours",
                    "must be whole hours from 1 to " + MOST_ALARM_HOURS + ", or empty for no alarm, is: "
                            + alarmHours));
        }
        if (!backfill.isEmpty() && !backfill.equals("0") && whole(backfill, MOST_BACKFILL) == null) {
            found.add(new FieldError(
                    "backfill", "must be builds from 0 to " + MOST_BACKFILL + ", or empty for none, is: " + backfill));
        }
        return found;
    }

    /** What is not typed as it must be counts as not typed. */
    Schedule.Rules rules() {
        return new Schedule.Rules(
                WireName.find(Overlap.class, overlap).orElse(Overlap.SKIP),
                whole(mostHours, MOST_HOURS),
                whole(alarmHours, MOST_ALARM_HOURS),
                Objects.requireNonNullElse(whole(backfill, MOST_BACKFILL), 0));
    }

    private static @Nullable Integer whole(String typed, int most) {
        int number = typed.matches("\\d{1,4}") ? Integer.parseInt(typed) : 0;
        return number < 1 || number > most ? null : number;
    }
}
