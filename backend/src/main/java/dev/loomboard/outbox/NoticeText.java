package dev.loomboard.outbox;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What a notice says, as lines of plain text. */
final class NoticeText {

    private NoticeText() {}

    /**
     * @param most changes of a build in full; the page has all
     * @param site scheme, host and port
     */
    static List<String> of(ToldNotice notice, int most, String site) {
        return switch (notice.what()) {
            case ToldBuild build -> BuildText.of(build, notice.workspaceName(), most, site);
            case ToldAlarm alarm -> AlarmText.of(alarm, notice.workspaceName(), site);
        };
    }

    /** What its reader can do, in sentences. */
    static List<String> next(ToldNotice notice, String site) {
        return switch (notice.what()) {
            case ToldBuild build -> BuildText.next(build, site);
            case ToldAlarm alarm -> AlarmText.next(alarm, site);
        };
    }

    /** A line, in whose column the values stand below each other. */
    static String fact(String label, String value) {
        return String.format(Locale.ROOT, "%-15s %s", label + ":", value);
    }

    /** One text: names come from machines and people, so each line stays one. */
    static String joined(List<String> lines) {
        return lines.stream().map(Markdown::line).collect(Collectors.joining("\n", "", "\n"));
    }
}
