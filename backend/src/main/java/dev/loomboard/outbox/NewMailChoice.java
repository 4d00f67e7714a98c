package dev.loomboard.outbox;

import dev.loomboard.cron.Zones;
import dev.loomboard.notice.NoticeKind;
import dev.loomboard.outbox.MailTimes.QuietHours;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Problem.FieldError;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a person chose of a workspace's mails.
 *
 * @param workspace slug
 */
record NewMailChoice(String workspace, Set<NoticeKind> kinds, MailTimes times) {

    static final String SUMMARY = "summary";

    static List<FieldError> problems(FormState form) {
        List<FieldError> problems = new ArrayList<>();
        boolean summary = form.is("when", SUMMARY);
        String from = form.value("quiet-from");
        String to = form.value("quiet-to");
        boolean quiet = !from.isBlank() || !to.isBlank();
        if (summary && time(form.value("summary-at")).isEmpty()) {
            problems.add(new FieldError("summary-at", "must be a time such as 08:00"));
        }
        if (quiet && (time(from).isEmpty() || time(to).isEmpty())) {
            problems.add(new FieldError("quiet", "must have two times such as 22:00 and 07:00, or none"));
        } else if (quiet && time(from).equals(time(to))) {
            problems.add(new FieldError("quiet", "must end at another time than they begin"));
        }
        String zone = form.value("zone").strip();
        String wrong = zone.isEmpty() && !summary && !quiet ? null : Zones.problem(zone);
        if (wrong != null) {
            problems.add(new FieldError("zone", wrong));
        }
        return problems;
    }

    /** Of a form without problems. */
    static NewMailChoice of(FormState form) {
        String zone = form.value("zone").strip();
        Optional<LocalTime> from = time(form.value("quiet-from"));
        Optional<LocalTime> to = time(form.value("quiet-to"));
        return new NewMailChoice(
                form.value("workspace"),
                NoticeKind.chosen(form),
                new MailTimes(
                        zone.isEmpty() ? MailTimes.AT_ONCE.zone() : ZoneId.of(zone),
                        from.isPresent() && to.isPresent() ? new QuietHours(from.get(), to.get()) : null,
                        form.is("when", SUMMARY)
                                ? time(form.value("summary-at")).orElseThrow()
                                : null));
    }

    /** To the minute; empty: it is none. */
    private static Optional<LocalTime> time(String text) {
        try {
            return Optional.of(LocalTime.parse(text.strip()).truncatedTo(ChronoUnit.MINUTES));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
