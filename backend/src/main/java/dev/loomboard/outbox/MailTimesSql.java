package dev.loomboard.outbox;

import dev.loomboard.kernel.Rows;
import dev.loomboard.outbox.MailTimes.QuietHours;
import io.r2dbc.spi.Readable;
import java.time.LocalTime;
import java.time.ZoneId;

/** The part of a query that reads when a person wants mails; without a choice, {@link MailTimes#AT_ONCE}. */
final class MailTimesSql {

    /** Of {@code mail_choice c}, which may be missing. */
    static final String COLUMNS = "coalesce(c.zone, 'UTC') as zone, c.quiet_from, c.quiet_to, c.summary_at";

    private MailTimesSql() {}

    static MailTimes read(Readable row) {
        LocalTime from = row.get("quiet_from", LocalTime.class);
        LocalTime to = row.get("quiet_to", LocalTime.class);
        return new MailTimes(
                ZoneId.of(Rows.text(row, "zone")),
                from == null || to == null ? null : new QuietHours(from, to),
                row.get("summary_at", LocalTime.class));
    }
}
