package dev.loomboard.outbox;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * When mails of a workspace may reach a person, by the clock on the person's wall.
 *
 * @param quiet in which none is sent; null: none are
 * @param summary when the one mail of a day is sent; null: each is sent at once
 */
public record MailTimes(
        ZoneId zone, @Nullable QuietHours quiet, @Nullable LocalTime summary) {

    static final MailTimes AT_ONCE = new MailTimes(ZoneId.of("UTC"), null, null);

    /**
     * Over midnight where they end earlier than they begin.
     *
     * @param to the first minute that is not quiet; never the same as from
     */
    public record QuietHours(LocalTime from, LocalTime to) {

        boolean at(LocalTime time) {
            boolean after = !time.isBefore(from);
            boolean before = time.isBefore(to);
            return from.isBefore(to) ? after && before : after || before;
        }
    }

    /** Now, or when the quiet hours end that it is. */
    Instant earliest(Instant now) {
        ZonedDateTime here = now.atZone(zone);
        if (quiet == null || !quiet.at(here.toLocalTime())) {
            return now;
        }
        boolean today = here.toLocalTime().isBefore(quiet.to());
        ZonedDateTime end = at(here.toLocalDate().plusDays(today ? 0 : 1), quiet.to());
        // A clock that was set back shows the hour again, so the end comes twice.
        return (end.toInstant().isAfter(now) ? end : end.withLaterOffsetAtOverlap()).toInstant();
    }

    /** The next time of the summary. There must be one. */
    Instant nextSummary(Instant after) {
        LocalTime time = Objects.requireNonNull(summary, "no summary is wanted");
        LocalDate today = after.atZone(zone).toLocalDate();
        Instant first = at(today, time).toInstant();
        return first.isAfter(after) ? first : at(today.plusDays(1), time).toInstant();
    }

    /** When the clock first shows the time, or, if it is set on over it, when that happens. */
    private ZonedDateTime at(LocalDate day, LocalTime time) {
        ZoneOffsetTransition change = zone.getRules().getTransition(LocalDateTime.of(day, time));
        return change != null && change.isGap() ? change.getInstant().atZone(zone) : ZonedDateTime.of(day, time, zone);
    }
}
