package dev.loomboard.runpages;

import dev.loomboard.cell.RunState;
import dev.loomboard.web.Page;
import dev.loomboard.web.PageTwin;
import java.time.Instant;
import java.time.YearMonth;
import java.time.format.TextStyle;
import java.util.List;
import java.util.Locale;

/**
 * Every run of a month, newest first: the way to those that the list no longer shows.
 *
 * @param runs at most as many as the store gives
 * @param more whether there are more than that
 * @param months that have runs, newest first
 */
public record RunMonthPage(YearMonth month, List<Row> runs, boolean more, List<YearMonth> months) implements Page {

    public RunMonthPage {
        runs = List.copyOf(runs);
        months = List.copyOf(months);
    }

    public record Row(
            String id,
            String title,
            RunState state,
            boolean open,
            String workspace,
            String machineSlug,
            String machineName,
            Instant createdAt) {}

    /** @param month such as 2026-11 */
    public record Twin(String month, List<Row> runs, boolean more) implements PageTwin {}

    Twin twin() {
        return new Twin(month.toString(), runs, more);
    }

    /** Such as "November 2026". */
    public static String words(YearMonth month) {
        return month.getMonth().getDisplayName(TextStyle.FULL, Locale.ENGLISH) + " " + month.getYear();
    }

    @Override
    public String template() {
        return "run/month.jte";
    }
}
