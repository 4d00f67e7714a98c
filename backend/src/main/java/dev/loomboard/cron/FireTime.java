package dev.loomboard.cron;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * A time as people of the schedule's zone read it.
 *
 * @param local such as {@code Mon 2026-11-23 02:00 +01:00}; with seconds where they are not zero
 */
public record FireTime(Instant at, String local) {

    private static final DateTimeFormatter MINUTES =
            DateTimeFormatter.ofPattern("EEE uuuu-MM-dd HH:mm xxx", Locale.ENGLISH);
    private static final DateTimeFormatter SECONDS =
            DateTimeFormatter.ofPattern("EEE uuuu-MM-dd HH:mm:ss xxx", Locale.ENGLISH);

    public static FireTime of(Instant at, ZoneId zone) {
        ZonedDateTime local = at.atZone(zone);
        return new FireTime(at, local.format(local.getSecond() == 0 ? MINUTES : SECONDS));
    }

    /** How far off, coarse: "in 5 h". */
    public String in(Instant now) {
        return "in " + coarse(Duration.between(now, at));
    }

    private static String coarse(Duration d) {
        if (d.toHours() >= 48) {
            return d.toDays() + " days";
        }
        if (d.toMinutes() >= 120) {
            return d.toHours() + " h";
        }
        return d.toSeconds() >= 120 ? d.toMinutes() + " min" : Math.max(0, d.toSeconds()) + " s";
    }
}
