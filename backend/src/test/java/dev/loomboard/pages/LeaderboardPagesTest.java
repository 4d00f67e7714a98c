package dev.loomboard.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Results;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;

/** The leaderboard of open loads: what is greyed, what cannot rank, filters, rows as CSV. */
final class LeaderboardPagesTest extends ShownPages {

    LeaderboardPagesTest() {
        Results.shared(); // its rows are what the pages show
    }

    @Test
    void leaderboard_greys_what_may_not_be_judged_and_says_why_in_text() {
        Document page = shown(client, "/leaderboard?scenario=" + encoded(Results.IO));
        assertThat(page.select("tr.provisional .ineligible")).isNotEmpty();
        assertThat(page.select("[role=tooltip]").text()).contains("36 hits lie beyond this percentile");
        assertThat(page.select(".one-trial").text()).contains("one trial: no interval");
        assertThat(page.select("th[aria-sort]").text())
                .as("p99 may not be judged, so p50 orders the rows")
                .startsWith("p50");
    }

    @Test
    void leaderboard_lists_unranked_apart_with_the_reason() {
        Document page = shown(client, "/leaderboard?scenario=" + encoded(Results.IO));
        assertThat(page.select("tbody:has(tr.unranked)").text()).contains("Unranked", "lag p99 14 ms");
        assertThat(page.select("tbody:has(tr.provisional)").text()).contains("Provisional");
    }

    @Test
    void leaderboard_draws_intervals_where_there_are_trials_enough() {
        Document page = shown(client, "/leaderboard?scenario=" + encoded(Results.MATMUL));
        assertThat(page.select("tr.ranked svg.interval[aria-label^=95 % interval]"))
                .hasSize(12);
        assertThat(page.select(".one-trial")).isEmpty();
    }

    @Test
    void leaderboard_filters_are_in_the_url_and_can_be_removed() {
        Document page = shown(client, "/leaderboard?model=event-loop&scenario=" + encoded(Results.IO));
        assertThat(page.select("table.board tbody tr:not(.group)")).hasSize(2);
        assertThat(page.select("a.chip.on").attr("href")).doesNotContain("model=");
    }

    @Test
    void leaderboard_has_its_rows_as_csv() {
        String csv = text("/leaderboard.csv?scenario=" + encoded(Results.IO));
        assertThat(csv.lines().findFirst())
                .hasValueSatisfying(head -> assertThat(head).startsWith("standing,reason,server"));
        assertThat(csv).contains("response_p50_ms", "1 of 10 trials; load and server share their cores");
    }
}
