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
import dev.loomboard.view.Filter;
import dev.loomboard.view.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which build of each server variant a board shows, and its place among the rows that are shown. */
final class BuildChoiceTest {

    private static final Jdk EA_19 = jdk("28-ea+19", 28, Availability.EA);
    private static final Jdk EA_18 = jdk("28-ea+18", 28, Availability.EA);
    private static final Jdk RELEASE_27 = jdk("27.0.1+3", 27, Availability.GA);
    private static final Jdk RELEASE_25 = jdk("25.0.3+9", 25, Availability.GA);
    private static final Jdk NONE = jdk("no JDK", Jdk.NO_FEATURE, Availability.GA);

    /** Newest build first, as the store gives them. */
    private final List<EntrySummary> all = new ArrayList<>();

    private static Jdk jdk(String version, int feature, Availability availability) {
        return new Jdk("slug-" + version, "temurin", version, feature, availability, "amd64", "l");
    }

    private EntrySummary entry(String server, Jdk jdk, @Nullable Double value) {
        long id = all.size() + 1L;
        EntrySummary entry = new EntrySummary(
                id,
                id,
                "io",
                new MachineRef("mac_a", "bench", "bench"),
                jdk,
                new Entry.Board("", "class", "p/1"),
                new ServerVariant(server, "v", ConcurrencyModel.VIRTUAL_THREADS, null),
                new CellSettings("G1", List.of(), Limits.NONE, "p/1"),
                Standing.RANKED,
                "response_p99_ms",
                value != null,
                null,
                value);
        all.add(entry);
        return entry;
    }

    private List<String> rows(@Nullable String asked) {
        return BuildChoice.of(asked, all).rows(all).stream()
                .map(e -> e.server().name() + " " + e.jdk().shortVersion())
                .toList();
    }

    private void nights() {
        entry("mvc", EA_19, 1.0);
        entry("mvc", EA_18, 1.0);
        entry("webflux", EA_18, 1.0);
        entry("mvc", RELEASE_27, 1.0);
        entry("mvc", RELEASE_25, 1.0);
        entry("jetty", RELEASE_25, 1.0);
        entry("nginx", NONE, 1.0);
    }

    @Test
    void each_variant_is_on_the_newest_release_that_it_was_measured_on() {
        nights();
        assertThat(rows(null))
                .isEqualTo(rows("newest-ga"))
                .containsExactly("mvc 27.0.1+3", "jetty 25.0.3+9", "nginx no JDK");
        assertThat(rows("newest-ea")).containsExactly("mvc 28-ea+19", "webflux 28-ea+18", "nginx no JDK");
        assertThat(rows("28")).containsExactly("mvc 28-ea+19", "webflux 28-ea+18");
        assertThat(rows("slug-28-ea+18")).containsExactly("mvc 28-ea+18", "webflux 28-ea+18");
        assertThat(rows("all")).hasSize(7);
        assertThat(rows("99")).isEmpty();
    }

    @Test
    void where_no_release_was_measured_it_is_early_access() {
        entry("mvc", EA_19, 1.0);
        entry("mvc", EA_18, 1.0);
        entry("nginx", NONE, 1.0);
        assertThat(rows(null)).containsExactly("mvc 28-ea+19", "nginx no JDK");
    }

    @Test
    void what_was_measured_can_be_chosen_and_what_is_shown_unasked_needs_no_parameter() {
        nights();
        Query query = new Query("/leaderboard", Map.of());
        assertThat(BuildChoice.choices(null, query, all))
                .containsExactly(
                        new Filter.Choice("newest GA", "/leaderboard", true),
                        new Filter.Choice("newest EA", "/leaderboard?jdk=newest-ea", false),
                        new Filter.Choice("JDK 28", "/leaderboard?jdk=28", false),
                        new Filter.Choice("JDK 27", "/leaderboard?jdk=27", false),
                        new Filter.Choice("JDK 25", "/leaderboard?jdk=25", false),
                        new Filter.Choice("all builds", "/leaderboard?jdk=all", false));
        assertThat(BuildChoice.choices("slug-28-ea+18", query, all)).noneMatch(Filter.Choice::chosen);
    }

    @Test
    void where_all_is_shown_there_is_nothing_to_choose() {
        entry("mvc", RELEASE_27, 1.0);
        assertThat(BuildChoice.choices(null, new Query("/leaderboard", Map.of()), all))
                .isEmpty();
    }

    /** Ranked with all: 2–3 of 4, tied with the third, the best before both and the last after. */
    @Test
    void place_among_some_counts_only_these() {
        EntrySummary best = entry("a", RELEASE_27, 1.0);
        EntrySummary own = entry("b", RELEASE_27, 2.0);
        EntrySummary tied = entry("c", RELEASE_27, 2.1);
        EntrySummary last = entry("d", RELEASE_27, 9.0);
        EntrySummary unplaced = entry("e", RELEASE_27, null);
        Rank rank = new Rank(2, 3, 4, List.of("cel_3"), new Rank.Cells(List.of(tied.cell())), null, null);
        assertThat(rank.among(own, all)).isEqualTo(rank);
        assertThat(place(rank, own, List.of(own, tied, last, unplaced))).isEqualTo("1–2 of 3");
        assertThat(place(rank, own, List.of(best, own, last))).isEqualTo("2 of 3");
        assertThat(place(rank, own, List.of(own))).isEqualTo("1 of 1");
    }

    private static String place(Rank rank, EntrySummary own, List<EntrySummary> some) {
        Rank among = rank.among(own, some);
        return among.range() + " of " + among.of();
    }
}
