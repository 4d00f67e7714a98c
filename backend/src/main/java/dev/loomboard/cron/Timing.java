package dev.loomboard.cron;

import java.time.DayOfWeek;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.time.format.TextStyle;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** When a schedule fires: one of the common ways, or a cron expression. What is stored is always the expression. */
public sealed interface Timing {

    /** The Quartz expression: second, minute, hour, day of month, month, day of week. */
    String cron();

    /** In words, such as "every night at 02:00". */
    String words();

    record Daily(LocalTime at) implements Timing {
        @Override
        public String cron() {
            return "0 " + at.getMinute() + " " + at.getHour() + " * * ?";
        }

        @Override
        public String words() {
            boolean night = at.getHour() < 6 || at.getHour() >= 21;
            return "every " + (night ? "night" : "day") + " at " + clock(at);
        }
    }

    record Hourly(int minute) implements Timing {
        public Hourly {
            if (minute < 0 || minute > 59) {
                throw new IllegalArgumentException("minute must be 0 to 59, is: " + minute);
            }
        }

        @Override
        public String cron() {
            return "0 " + minute + " * * * ?";
        }

        @Override
        public String words() {
            return minute == 0 ? "every hour" : "every hour at minute " + minute;
        }
    }

    record Weekly(DayOfWeek day, LocalTime at) implements Timing {
        @Override
        public String cron() {
            return "0 " + at.getMinute() + " " + at.getHour() + " ? * "
                    + day.name().substring(0, 3);
        }

        @Override
        public String words() {
            return day.getDisplayName(TextStyle.FULL, Locale.ENGLISH) + "s at " + clock(at);
        }
    }

    record Custom(String cron) implements Timing {
        @Override
        public String words() {
            return "cron " + cron;
        }
    }

    /** The common way that an expression stands for, so that a form shows again what was chosen. */
    static Timing of(String cron) {
        Matcher m = Patterns.COMMON.matcher(cron);
        if (!m.matches()) {
            return new Custom(cron);
        }
        int minute = Integer.parseInt(m.group("minute"));
        String hour = m.group("hour");
        if (m.group("day") != null) {
            return hour.equals("*") ? new Custom(cron) : new Weekly(day(m.group("day")), time(hour, minute));
        }
        return hour.equals("*") ? new Hourly(minute) : new Daily(time(hour, minute));
    }

    private static LocalTime time(String hour, int minute) {
        return LocalTime.of(Integer.parseInt(hour), minute);
    }

    private static DayOfWeek day(String abbreviated) {
        for (DayOfWeek day : DayOfWeek.values()) {
            if (day.name().startsWith(abbreviated)) {
                return day;
            }
        }
        throw new IllegalArgumentException("no day of the week begins with " + abbreviated);
    }

    private static String clock(LocalTime at) {
        return at.format(DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT));
    }

    /** Interfaces have no private constants. */
    final class Patterns {
        private static final Pattern COMMON = Pattern.compile("0 (?<minute>[1-5]?\\d) (?<hour>\\*|1?\\d|2[0-3]) "
                + "(?:\\* \\* \\?|\\? \\* (?<day>MON|TUE|WED|THU|FRI|SAT|SUN))");

        private Patterns() {}
    }
}
