package dev.loomboard.outbox;

import java.util.ArrayList;
import java.util.List;

/** What the notice of an alarm says, as lines of plain text. */
final class AlarmText {

    private AlarmText() {}

    /** @param site scheme, host and port */
    static List<String> of(ToldAlarm what, String workspace, String site) {
        List<String> lines = new ArrayList<>();
        lines.add(what.title() + ".");
        lines.add("");
        what.facts().forEach(fact -> lines.add(NoticeText.fact(fact.label(), fact.value())));
        lines.add(NoticeText.fact("Workspace", workspace));
        lines.add("");
        if (!what.happened().isEmpty()) {
            lines.add("What came of it since, the newest first");
            what.happened()
                    .forEach(event ->
                            lines.add("- " + event.text() + (event.path() == null ? "" : ": " + site + event.path())));
            lines.add("");
        }
        return lines;
    }

    /** What its reader can do, in sentences. */
    static List<String> next(ToldAlarm what, String site) {
        List<String> next = new ArrayList<>();
        next.add("See its page: " + site + what.path());
        next.addAll(what.next());
        return next;
    }
}
