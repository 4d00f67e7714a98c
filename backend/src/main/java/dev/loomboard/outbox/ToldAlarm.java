package dev.loomboard.outbox;

import dev.loomboard.cron.FireTime;
import dev.loomboard.notice.NoticeKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * That a schedule has no result, or that a machine is away.
 *
 * @param subject its name
 * @param since when it had its last result, or was last heard of
 * @param facts what else there is to know of it
 * @param happened what came of it since, the newest first
 * @param next what its reader can do, in sentences
 * @param path of its page
 * @param stands false: it is over
 */
public record ToldAlarm(
        NoticeKind kind,
        String subject,
        FireTime since,
        List<Fact> facts,
        List<Event> happened,
        List<String> next,
        String path,
        boolean stands)
        implements Told {

    public ToldAlarm {
        facts = List.copyOf(facts);
        happened = List.copyOf(happened);
        next = List.copyOf(next);
    }

    /** Such as "Machine" and its name. */
    public record Fact(String label, String value) {}

    /** @param path of the page that says more; null: there is none */
    public record Event(String text, @Nullable String path) {}

    /** Such as "Nightly has had no result since Sat 2026-11-21 13:00 +01:00". */
    @Override
    public String title() {
        return subject + " " + kind.predicate() + " since " + since.local();
    }
}
