package dev.loomboard.alarm;

import dev.loomboard.cron.FireTime;
import java.time.Instant;
import java.time.ZoneId;

/**
 * That a schedule has had no result for longer than its owners allow.
 *
 * @param since its last result, the last firing at which nothing was new, or when it got its times, whichever is newest
 * @param hours that they allow
 */
public record MissingResult(Instant since, int hours) {

    /** "No result since Sat 2026-11-21 13:00 +01:00, which is more than 26 h." */
    public String words(ZoneId zone) {
        return "No result since " + FireTime.of(since, zone).local() + ", which is more than " + hours + " h.";
    }
}
