package dev.loomboard.cron;

import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.TimeZone;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.quartz.CronExpression;
import org.springframework.stereotype.Service;

/**
 * What a cron expression means, as Quartz reads it: a preview that used another reading would promise what does not
 * happen. It keeps no state.
 */
@Service
public final class CronService {

    /** Column width of Quartz's own table. */
    private static final int LONGEST = 120;

    private static final int SHOWN_TIMES = 3;
    private static final int PREVIEWED = 5;
    /** A month of nights. */
    private static final int COMPARED = 32;

    /** Looking back for the last firings: each span is tried when the one before held too few. */
    private static final List<Duration> SPANS = List.of(
            Duration.ofMinutes(1),
            Duration.ofHours(1),
            Duration.ofDays(1),
            Duration.ofDays(8),
            Duration.ofDays(62),
            Duration.ofDays(370),
            Duration.ofDays(3700));

    private static final Pattern ONE_NUMBER = Pattern.compile("\\d{1,2}");
    private static final Pattern UNIX = Pattern.compile("\\S+( \\S+){4}");

    /** What is wrong with an expression and how to mend it; null: it can be used. */
    @Nullable
    public String problem(String cron, Instant now) {
        String shape = shapeProblem(cron);
        if (shape != null) {
            return shape;
        }
        try {
            return new CronExpression(cron).getNextValidTimeAfter(Date.from(now)) == null
                    ? "never fires again: no such day is to come"
                    : null;
        } catch (ParseException e) {
            return "is not a cron expression: " + e.getMessage();
        }
    }

    private static @Nullable String shapeProblem(String cron) {
        if (cron.isEmpty()) {
            return "is missing: six fields, such as 0 30 2 * * ? for 02:30 every night";
        }
        if (cron.length() > LONGEST) {
            return "must have at most " + LONGEST + " characters, has " + cron.length();
        }
        if (UNIX.matcher(cron).matches()) {
            return "has five fields, as Unix cron does; Quartz begins with the second: try " + ofUnix(cron);
        }
        String[] fields = cron.split(" ");
        if (fields.length < 6 || fields.length > 7) {
            return "has " + fields.length + " fields, needs six or seven: second, minute, hour, day of month, month,"
                    + " day of week, and a year if need be";
        }
        if (!ONE_NUMBER.matcher(fields[0]).matches()) {
            return "fires more than once a minute: its first field, the second, must be one number such as 0";
        }
        if (fields[3].equals("?") == fields[5].equals("?")) {
            return "needs ? in exactly one of day of month (the fourth field) and day of week (the sixth)";
        }
        return null;
    }

    /** Quartz wants a ? for that one of the two day fields which does not decide. */
    private static String ofUnix(String cron) {
        String[] f = cron.split(" ");
        boolean byWeekday = !f[4].equals("*") && !f[4].equals("?");
        // Unix counts Sunday as 0, Quartz as 1: names cannot be mistaken.
        String weekday = f[4].matches("[0-7]") ? DAYS.get(Integer.parseInt(f[4]) % 7) : f[4];
        return "0 " + f[0] + " " + f[1] + " " + (byWeekday ? "? " + f[3] + " " + weekday : f[2] + " " + f[3] + " ?");
    }

    private static final List<String> DAYS = List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");

    /** The next firings, fewer when there are no more. */
    public List<Instant> next(String cron, ZoneId zone, Instant after, int count) {
        CronExpression expression = parse(cron, zone);
        List<Instant> times = new ArrayList<>();
        Date at = Date.from(after);
        while (times.size() < count) {
            at = expression.getNextValidTimeAfter(at);
            if (at == null) {
                break;
            }
            times.add(at.toInstant());
        }
        return times;
    }

    /** The longest time between two of the next firings; empty: it fires once at most. */
    public Optional<Duration> longestGap(String cron, ZoneId zone, Instant after) {
        List<Instant> times = next(cron, zone, after, COMPARED);
        return IntStream.range(1, times.size())
                .mapToObj(i -> Duration.between(times.get(i - 1), times.get(i)))
                .max(Comparator.naturalOrder());
    }

    /** The newest firing that is not after {@code at}; looks back ten years. */
    public Optional<Instant> latest(String cron, ZoneId zone, Instant at) {
        return lastUntil(cron, zone, at, 1).stream().findFirst();
    }

    /** The last {@code count} firings that are not after {@code at}, oldest first. */
    public List<Instant> lastUntil(String cron, ZoneId zone, Instant at, int count) {
        CronExpression expression = parse(cron, zone);
        List<Instant> found = List.of();
        for (Duration span : SPANS) {
            found = within(expression, at.minus(span), at);
            if (found.size() >= count) {
                break;
            }
        }
        return found.subList(Math.max(0, found.size() - count), found.size());
    }

    private static List<Instant> within(CronExpression expression, Instant after, Instant last) {
        List<Instant> times = new ArrayList<>();
        Date at = expression.getNextValidTimeAfter(Date.from(after));
        while (at != null && !at.toInstant().isAfter(last)) {
            times.add(at.toInstant());
            at = expression.getNextValidTimeAfter(at);
        }
        return times;
    }

    /** The clock changes of the coming year that this expression would fire in. */
    List<ClockChange> clockChanges(String cron, ZoneId zone, Instant after) {
        List<ClockChange> changes = new ArrayList<>();
        Instant end = after.plus(Duration.ofDays(370));
        ZoneOffsetTransition transition = zone.getRules().nextTransition(after);
        while (transition != null && transition.getInstant().isBefore(end)) {
            changeAt(cron, transition).ifPresent(changes::add);
            transition = zone.getRules().nextTransition(transition.getInstant());
        }
        return changes;
    }

    /** Read in UTC, the expression fires at every local time, also at those that a zone lacks or has twice. */
    private static Optional<ClockChange> changeAt(String cron, ZoneOffsetTransition transition) {
        LocalDateTime before = transition.getDateTimeBefore();
        LocalDateTime after = transition.getDateTimeAfter();
        LocalDateTime from = transition.isGap() ? before : after;
        LocalDateTime to = transition.isGap() ? after : before;
        List<LocalTime> times = within(
                        parse(cron, ZoneOffset.UTC),
                        from.toInstant(ZoneOffset.UTC).minusSeconds(1),
                        to.toInstant(ZoneOffset.UTC).minusSeconds(1))
                .stream()
                .map(at -> LocalDateTime.ofInstant(at, ZoneOffset.UTC).toLocalTime())
                .toList();
        return times.isEmpty()
                ? Optional.empty()
                : Optional.of(new ClockChange(
                        from.toLocalDate(),
                        before.toLocalTime(),
                        after.toLocalTime(),
                        transition.isGap(),
                        times.subList(0, Math.min(SHOWN_TIMES, times.size()))));
    }

    /** The next five firings, in the words of their zone. */
    public Preview preview(Timing timing, String zone, Instant now) {
        ZoneId zoneId = ZoneId.of(zone);
        List<FireTime> next = next(timing.cron(), zoneId, now, PREVIEWED).stream()
                .map(at -> FireTime.of(at, zoneId))
                .toList();
        List<String> notes = clockChanges(timing.cron(), zoneId, now).stream()
                .map(ClockChange::words)
                .toList();
        return new Preview(
                timing.words(),
                timing.cron(),
                zone,
                next.isEmpty() ? "It never fires again." : null,
                next,
                notes,
                null);
    }

    private static CronExpression parse(String cron, ZoneId zone) {
        try {
            CronExpression expression = new CronExpression(cron);
            expression.setTimeZone(TimeZone.getTimeZone(zone));
            return expression;
        } catch (ParseException e) {
            throw new IllegalArgumentException("cron must be a Quartz expression, is: " + cron, e);
        }
    }
}
