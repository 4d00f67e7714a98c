package dev.loomboard.schedulepages;

import dev.loomboard.cron.Timing;
import dev.loomboard.cron.Zones;
import dev.loomboard.jdk.JdkSelectors;
import dev.loomboard.kernel.WireName;
import dev.loomboard.schedule.Choice;
import dev.loomboard.schedule.Schedule;
import dev.loomboard.schedule.ScheduleDraft;
import dev.loomboard.web.Problem.FieldError;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalTime;
import java.time.format.TextStyle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The form as it was typed, with what is wrong about it: shown again it loses nothing. Each of the ways to say when has
 * fields of its own, so that choosing another keeps what was typed.
 *
 * @param when null: what was typed is none of the ways
 * @param jdks selectors, separated by spaces or commas
 * @param onlyNew whether a firing is skipped when no build is new
 */
public record ScheduleForm(
        String title,
        String matrix,
        String machine,
        @Nullable When when,
        String nightlyTime,
        String hourlyMinute,
        String weeklyDay,
        String weeklyTime,
        String cron,
        String zone,
        String jdks,
        boolean onlyNew,
        RuleFields rules,
        List<FieldError> problems) {

    static final int LONGEST_TITLE = 80;
    private static final int MOST_SELECTORS = 20;

    /** The ways to say when. */
    public enum When implements WireName {
        NIGHTLY,
        HOURLY,
        WEEKLY,
        CRON
    }

    /** What is wrong with an expression; null: nothing. */
    public interface CronCheck {
        @Nullable
        String problem(String cron);
    }

    public ScheduleForm {
        problems = List.copyOf(problems);
    }

    public static ScheduleForm blank() {
        return new ScheduleForm(
                "",
                "",
                "",
                When.NIGHTLY,
                "02:00",
                "0",
                "MONDAY",
                "06:00",
                "",
                "UTC",
                "",
                false,
                RuleFields.BLANK,
                List.of());
    }

    /** The same, with what and where chosen; what there is no such thing of is left to be chosen. */
    ScheduleForm about(FormOptions options, String wantedMatrix, String wantedMachine) {
        String name = options.matrix(wantedMatrix).map(Choice::title).orElse("");
        return new ScheduleForm(
                name.substring(0, Math.min(name.length(), LONGEST_TITLE)),
                options.matrix(wantedMatrix).map(Choice::id).orElse(""),
                options.machine(wantedMachine).map(Choice::id).orElse(""),
                when,
                nightlyTime,
                hourlyMinute,
                weeklyDay,
                weeklyTime,
                cron,
                zone,
                jdks,
                onlyNew,
                rules,
                problems);
    }

    public static ScheduleForm of(Schedule s) {
        ScheduleForm form = new ScheduleForm(
                s.title(),
                s.matrix().id(),
                s.machine().id(),
                When.NIGHTLY,
                "02:00",
                "0",
                "MONDAY",
                "06:00",
                s.times().cron(),
                s.times().zone(),
                String.join(" ", s.jdks()),
                s.builds().onlyNew(),
                RuleFields.of(s.rules()),
                List.of());
        return switch (Timing.of(s.times().cron())) {
            case Timing.Daily daily -> form.timed(When.NIGHTLY, daily.at().toString(), "0", "MONDAY", "06:00");
            case Timing.Hourly hourly -> form.timed(When.HOURLY, "02:00", "" + hourly.minute(), "MONDAY", "06:00");
            case Timing.Weekly weekly ->
                form.timed(
                        When.WEEKLY,
                        "02:00",
                        "0",
                        weekly.day().name(),
                        weekly.at().toString());
            case Timing.Custom custom -> form.timed(When.CRON, "02:00", "0", "MONDAY", "06:00");
        };
    }

    /** @param field gives what was typed into a field, empty when it is absent */
    public static ScheduleForm typed(UnaryOperator<String> field) {
        return new ScheduleForm(
                field.apply("title").strip(),
                field.apply("matrix"),
                field.apply("machine"),
                WireName.find(When.class, field.apply("when")).orElse(null),
                field.apply("nightlyTime"),
                field.apply("hourlyMinute").strip(),
                field.apply("weeklyDay"),
                field.apply("weeklyTime"),
                field.apply("cron").strip().replaceAll("\\s+", " ").toUpperCase(Locale.ROOT),
                field.apply("zone").strip(),
                field.apply("jdks"),
                !field.apply("onlyNew").isEmpty(),
                RuleFields.typed(field),
                List.of());
    }

    /** The same form with all that is wrong about it. */
    public ScheduleForm checked(CronCheck crons) {
        List<FieldError> found = new ArrayList<>();
        if (title.isEmpty() || title.length() > LONGEST_TITLE || slug().isEmpty()) {
            found.add(new FieldError(
                    "title",
                    "must have 1 to " + LONGEST_TITLE + " characters, at least one of them a letter a-z or a digit"));
        }
        if (matrix.isEmpty()) {
            found.add(new FieldError("matrix", "is missing: choose what to run"));
        }
        if (machine.isEmpty()) {
            found.add(new FieldError("machine", "is missing: choose where to run it"));
        }
        found.addAll(timeProblems(crons));
        List<String> selectors = selectors();
        if (selectors.size() > MOST_SELECTORS) {
            found.add(new FieldError(
                    "jdks", "must be at most " + MOST_SELECTORS + " selectors, are " + selectors.size()));
        }
        selectors.stream()
                .flatMap(s -> JdkSelectors.problem(s).stream())
                .findFirst()
                .ifPresent(problem -> found.add(new FieldError("jdks", problem)));
        found.addAll(rules.problems());
        return refused(found);
    }

    /** What is wrong with time and zone alone: all that a preview needs. */
    public List<FieldError> timeProblems(CronCheck crons) {
        List<FieldError> found = new ArrayList<>();
        switch (when) {
            case NIGHTLY -> add(found, "nightlyTime", timeProblem(nightlyTime));
            case HOURLY -> add(found, "hourlyMinute", minute() < 0 ? "must be a minute from 0 to 59" : null);
            case WEEKLY -> {
                add(found, "weeklyDay", day() == null ? "must be a day of the week" : null);
                add(found, "weeklyTime", timeProblem(weeklyTime));
            }
            case CRON -> add(found, "cron", crons.problem(cron));
            case null -> found.add(new FieldError("when", "must be one of the four ways"));
        }
        add(found, "zone", Zones.problem(zone));
        return found;
    }

    public ScheduleForm refused(List<FieldError> found) {
        return new ScheduleForm(
                title,
                matrix,
                machine,
                when,
                nightlyTime,
                hourlyMinute,
                weeklyDay,
                weeklyTime,
                cron,
                zone,
                jdks,
                onlyNew,
                rules,
                found);
    }

    /** Only of a form whose time has no problems. */
    Timing timing() {
        DayOfWeek day = day();
        return switch (when) {
            case NIGHTLY -> new Timing.Daily(LocalTime.parse(nightlyTime));
            case HOURLY -> new Timing.Hourly(minute());
            case WEEKLY -> new Timing.Weekly(Objects.requireNonNull(day, "weeklyDay"), LocalTime.parse(weeklyTime));
            case CRON -> Timing.of(cron);
            case null -> throw new IllegalStateException("a schedule without a time");
        };
    }

    /** Only of a form without problems. */
    ScheduleDraft draft() {
        return new ScheduleDraft(title, matrix, machine, timing().cron(), zone, selectors(), onlyNew, rules.rules());
    }

    public List<String> selectors() {
        return Arrays.stream(jdks.strip().split("[\\s,]+"))
                .filter(s -> !s.isEmpty())
                .distinct()
                .toList();
    }

    /** The title as it stands in URLs, before it is known whether it is taken; empty when nothing of it can. */
    public String slug() {
        String slug =
                title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-+|-+$", "");
        return slug.substring(0, Math.min(slug.length(), 56)).replaceAll("-+$", ""); // room for a number
    }

    /** What is wrong with a field; null: nothing. */
    public @Nullable String problem(String field) {
        return FieldError.of(field, problems);
    }

    public boolean isRefused() {
        return !problems.isEmpty();
    }

    public static String dayName(DayOfWeek day) {
        return day.getDisplayName(TextStyle.FULL, Locale.ENGLISH);
    }

    private ScheduleForm timed(When way, String nightly, String minute, String day, String weekly) {
        return new ScheduleForm(
                title, matrix, machine, way, nightly, minute, day, weekly, cron, zone, jdks, onlyNew, rules, problems);
    }

    private int minute() {
        return hourlyMinute.matches("[1-5]?\\d") ? Integer.parseInt(hourlyMinute) : -1;
    }

    private @Nullable DayOfWeek day() {
        return Arrays.stream(DayOfWeek.values())
                .filter(d -> d.name().equals(weeklyDay))
                .findFirst()
                .orElse(null);
    }

    private static @Nullable String timeProblem(String time) {
        try {
            LocalTime.parse(time);
            return time.length() == 5 ? null : "must be a time such as 02:00";
        } catch (DateTimeException e) {
            return "must be a time such as 02:00" + (time.isEmpty() ? "" : ", is: " + time);
        }
    }

    private static void add(List<FieldError> found, String field, @Nullable String problem) {
        if (problem != null) {
            found.add(new FieldError(field, problem));
        }
    }
}
