package dev.loomboard.leaderboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.cell.Availability;
import dev.loomboard.cell.CellSettings;
import dev.loomboard.cell.ConcurrencyModel;
import dev.loomboard.cell.Jdk;
import dev.loomboard.cell.Limits;
import dev.loomboard.cell.MachineRef;
import dev.loomboard.cell.ServerVariant;
import dev.loomboard.cell.Standing;
import dev.loomboard.cell.Visibility;
import dev.loomboard.view.MetricReading;
import dev.loomboard.view.ScenarioText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which rows of a big board a page has, in which order, and what it says of the others. */
final class BoardTest {

    private static final String IO = "io@1?delayMs=100;constant:rate=300,seconds=12";
    private static final String SEARCH = "io@1?delayMs=100;search:p99=250";
    private static final String HEADLINE = "response_p99_ms";
    private static final Jdk JDK = new Jdk("temurin-25", "temurin", "25.0.3+9", 25, Availability.GA, "amd64", "l");

    /** Ranked ones first, their values falling with their keys, so that the order is not that of the store. */
    private final List<EntrySummary> outlines = new ArrayList<>(IntStream.rangeClosed(1, 120)
            .mapToObj(i -> outline(i, IO, i <= 100 ? Standing.RANKED : Standing.UNRANKED, null, 1000.0 - i))
            .toList());

    private static EntrySummary outline(
            long id, String scenario, Standing standing, @Nullable Double asked, @Nullable Double usual) {
        return new EntrySummary(
                id,
                id,
                scenario,
                new MachineRef("mac_a", "bench", "bench"),
                JDK,
                new Entry.Board("", "class", "p/1"),
                new ServerVariant("mvc", "v" + id, ConcurrencyModel.VIRTUAL_THREADS, null),
                new CellSettings("G1", List.of(), Limits.NONE, "p/1"),
                standing,
                HEADLINE,
                standing == Standing.RANKED,
                asked,
                usual);
    }

    private static Entry entry(EntrySummary of) {
        Map<String, MetricReading> readings = new HashMap<>();
        if (of.usual() != null) {
            readings.put(HEADLINE, new MetricReading(of.usual(), null, null, true, null, null));
        }
        if (of.asked() != null) {
            readings.put("max_rate_per_s", new MetricReading(of.asked(), null, null, true, null, null));
        }
        return new Entry(
                of.scenarioKey(),
                new Entry.Place("main", Visibility.PUBLIC, of.machine(), false, "small"),
                of.board(),
                of.server(),
                of.settings(),
                JDK,
                new Entry.Source("run_a", "cel_" + of.cell(), 10, Instant.EPOCH),
                readings,
                HEADLINE,
                new Entry.Rating(
                        of.standing(),
                        List.of(),
                        of.id() == 60
                                ? new Rank(
                                        1,
                                        3,
                                        100,
                                        List.of("cel_1", "cel_2"),
                                        new Rank.Cells(List.of(1L, 2L)),
                                        null,
                                        null)
                                : null,
                        null),
                null);
    }

    private Board board(Map<String, String> query, boolean whole) {
        return new Board(BoardQuery.of(query), List.of(IO, SEARCH), IO, outlines, whole);
    }

    private LeaderboardPage page(Board board) {
        Map<Long, Entry> entries = new HashMap<>();
        outlines.stream().filter(o -> board.wanted().contains(o.id())).forEach(o -> entries.put(o.id(), entry(o)));
        return board.page(entries, Map.of());
    }

    @Test
    void a_page_has_fifty_rows_in_the_order_of_all() {
        Board first = board(Map.of(), false);
        assertThat(first.wanted()).hasSize(Board.ROWS).contains(100L, 51L);
        LeaderboardPage page = page(first);
        assertThat(page.entries())
                .extracting(e -> e.server().variant())
                .startsWith("v100", "v99")
                .endsWith("v51");
        assertThat(page.part()).isEqualTo(new LeaderboardPage.Part(1, 50, 120, null, link("?page=2")));
        assertThat(page.summary()).isEqualTo("100 ranked · 20 unranked");
        LeaderboardPage third = page(board(Map.of("page", "3"), false));
        assertThat(third.entries()).hasSize(20).allMatch(e -> e.standing() == Standing.UNRANKED);
        assertThat(third.part()).isEqualTo(new LeaderboardPage.Part(101, 120, 120, link("?page=2"), null));
        assertThat(page(board(Map.of("page", "2"), false)).part().ahead()).isEqualTo(link(""));
    }

    private static String link(String parameters) {
        return "/leaderboard/io-100ms-300rps-12s" + parameters;
    }

    @Test
    void a_page_beyond_the_last_is_the_last_and_what_is_no_page_the_first() {
        assertThat(page(board(Map.of("page", "99"), false)).part().from()).isEqualTo(101);
        for (String none : List.of("0", "-1", "x", "99999999999", "")) {
            assertThat(page(board(Map.of("page", none), false)).part().from()).isEqualTo(1);
        }
    }

    @Test
    void twins_and_charts_have_all_rows() {
        assertThat(page(board(Map.of(), true)).entries()).hasSize(120);
        assertThat(page(board(Map.of("view", "pareto"), false)).entries()).hasSize(120);
    }

    @Test
    void ties_are_named_also_of_rows_that_are_on_another_page() {
        Entry tied = page(board(Map.of(), false)).entries().stream()
                .filter(e -> e.source().cell().equals("cel_60"))
                .findFirst()
                .orElseThrow();
        assertThat(Objects.requireNonNull(tied.rating().rank()).words())
                .isEqualTo("41–43 of 100: not distinguishable from mvc v1 on 25.0.3+9 and mvc v2 on 25.0.3+9");
    }

    @Test
    void rows_without_the_value_come_last_and_a_search_lends_its_rate() {
        outlines.set(6, outline(7, IO, Standing.RANKED, null, null));
        assertThat(page(board(Map.of("page", "2"), false)).entries())
                .extracting(e -> e.server().variant())
                .endsWith("v7");
        EntrySummary found = outline(501, SEARCH, Standing.RANKED, 900.0, null);
        outlines.add(new EntrySummary(
                501,
                found.cell(),
                SEARCH,
                new MachineRef("mac_a", "bench", "bench"),
                JDK,
                new Entry.Board("", "class", "p/1"),
                new ServerVariant("mvc", "v7", ConcurrencyModel.VIRTUAL_THREADS, null),
                new CellSettings("G1", List.of(), Limits.NONE, "p/1"),
                Standing.RANKED,
                "max_rate_per_s",
                true,
                900.0,
                900.0));
        Board byRate = board(Map.of("sort", "max_rate_per_s"), false);
        assertThat(byRate.wanted()).contains(7L, 501L);
        LeaderboardPage page = page(byRate);
        assertThat(page.sort()).isEqualTo("max_rate_per_s");
        assertThat(page.entries().getFirst().server().variant()).isEqualTo("v7");
        assertThat(Objects.requireNonNull(page.entries().getFirst().found())
                        .reading()
                        .mean())
                .isEqualTo(900.0);
    }

    @Test
    void what_nobody_measured_is_not_ordered_by() {
        assertThat(page(board(Map.of("sort", "startup_ms"), false)).sort()).isEqualTo(HEADLINE);
        assertThat(page(board(Map.of("sort", "nothing"), false)).sort()).isEqualTo(HEADLINE);
        assertThat(Board.order(BoardQuery.of(Map.of("sort", "nothing")), ScenarioText.of(IO))
                        .asked())
                .isNull();
    }

    @Test
    void a_row_that_went_meanwhile_is_left_out() {
        Board board = board(Map.of(), false);
        assertThat(board.page(Map.of(100L, entry(outlines.get(99))), Map.of()).entries())
                .extracting(e -> e.server().variant())
                .containsExactly("v100");
    }

    @Test
    void few_trials_have_no_order_and_stand_by_name() {
        List<EntrySummary> few = new ArrayList<>(IntStream.rangeClosed(1, 3)
                .mapToObj(i -> outline(i, IO, Standing.FEW, null, 1000.0 - i))
                .toList());
        Collections.shuffle(few, new Random(1));
        Board board = new Board(BoardQuery.of(Map.of()), List.of(IO), IO, few, true);
        Map<Long, Entry> entries = new HashMap<>();
        few.forEach(e -> entries.put(e.id(), entry(e)));
        assertThat(board.page(entries, Map.of()).entries())
                .extracting(e -> e.server().variant())
                .containsExactly("v1", "v2", "v3");
    }
}
