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
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each reason is said once, whatever the number of rows. */
final class ReasonTest {

    private static final String FEW = "1 trial of the 10 that a rank needs";

    @Test
    void reason_of_all_rows_names_none() {
        assertThat(Reason.of(List.of(row("a", FEW), row("b", FEW)))).containsExactly(new Reason(FEW, List.of()));
    }

    @Test
    void reason_of_some_rows_names_them() {
        List<Reason> reasons = Reason.of(List.of(row("a", FEW, "the host changed"), row("b", FEW)));
        assertThat(reasons)
                .containsExactly(
                        new Reason(FEW, List.of()), new Reason("the host changed", List.of("mvc a on 25.0.3+9")));
    }

    @Test
    void what_is_each_rows_own_is_left_to_the_row() {
        List<Reason> reasons = Reason.of(List.of(
                row("a", "trial 1 is suspect (lag p99 4 ms)"),
                row("b", "trial 1 is suspect (lag p99 7 ms)"),
                row("c", FEW)));
        assertThat(reasons.getFirst())
                .isEqualTo(new Reason("trial 1 is suspect", List.of("mvc a on 25.0.3+9", "mvc b on 25.0.3+9")));
    }

    @Test
    void what_all_rows_say_alike_is_kept_whole() {
        String cancelled = "trial 1 was aborted (The run is cancelled.)";
        assertThat(Reason.of(List.of(row("a", cancelled), row("b", cancelled))))
                .containsExactly(new Reason(cancelled, List.of()));
    }

    @Test
    void many_names_are_counted() {
        assertThat(new Reason("x", List.of("a", "b", "c", "d", "e")).which()).isEqualTo("a, b, c and 2 more");
        assertThat(new Reason("x", List.of("a", "b", "c")).which()).isEqualTo("a, b, c");
    }

    private static Entry row(String variant, String... reasons) {
        return new Entry(
                "io@1?;x",
                new Entry.Place("main", Visibility.PUBLIC, new MachineRef("mac_a", "bench", "bench"), false, "class"),
                new Entry.Board("", "c", "quick/1"),
                new ServerVariant("mvc", variant, ConcurrencyModel.PLATFORM_THREADS, null),
                new CellSettings("G1", List.of(), Limits.NONE, "quick/1"),
                new Jdk("temurin-25.0.3_9-amd64", "temurin", "25.0.3+9-LTS", 25, Availability.GA, "amd64", "l"),
                new Entry.Source("run_a", "cel_a", 1, Instant.EPOCH),
                Map.of(),
                "response_p50_ms",
                new Entry.Rating(Standing.PROVISIONAL, List.of(reasons), null, null),
                null);
    }
}
