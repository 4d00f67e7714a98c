package dev.loomboard.outbox;

import dev.loomboard.notice.NoticeKind;
import dev.loomboard.outbox.MailTimes.QuietHours;
import dev.loomboard.web.FormState;
import java.time.LocalTime;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Of what of a workspace a person wants mails, and when.
 *
 * @param workspace slug
 * @param kinds empty: none
 */
public record MailChoice(String workspace, String name, Set<NoticeKind> kinds, MailTimes times) {

    public MailChoice {
        kinds = Set.copyOf(kinds);
    }

    /** As its form begins. */
    FormState form() {
        QuietHours quiet = times.quiet();
        return new FormState(
                Map.of(
                        "workspace", List.of(workspace),
                        "kind", kinds.stream().map(NoticeKind::wire).toList(),
                        "when", List.of(times.summary() == null ? "at-once" : NewMailChoice.SUMMARY),
                        "summary-at", List.of(text(times.summary())),
                        "quiet-from", List.of(text(quiet == null ? null : quiet.from())),
                        "quiet-to", List.of(text(quiet == null ? null : quiet.to())),
                        "zone", List.of(times.zone().getId())),
                List.of());
    }

    private static String text(@Nullable LocalTime time) {
        return time == null ? "" : time.toString();
    }
}
