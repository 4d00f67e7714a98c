package dev.loomboard.matching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.loomboard.cell.CellSettings;
import dev.loomboard.cell.ConcurrencyModel;
import dev.loomboard.cell.Limits;
import dev.loomboard.cell.MachineRef;
import dev.loomboard.cell.ServerVariant;
import dev.loomboard.cell.Standing;
import dev.loomboard.verdict.ComparisonDimension;
import dev.loomboard.web.StrictJson;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Which cells the mean of ratios is of. */
final class RatioSummaryTest {

    private static final List<Double> BASELINE = List.of(100.0, 101.0, 99.0);
    private static final List<Double> DOUBLE = List.of(200.0, 202.0, 198.0);

    @Test
    void mean_takes_only_cells_that_may_be_judged_and_says_what_it_left_out() {
        RatioSummary summary = RatioSummary.of(List.of(
                pair(sound(BASELINE), sound(DOUBLE)),
                pair(sound(BASELINE), sound(BASELINE)),
                pair(sound(BASELINE), row(DOUBLE, "digest", "host", false, Standing.RANKED)),
                pair(sound(BASELINE), row(DOUBLE, "digest", "host", true, Standing.UNRANKED)),
                pair(sound(BASELINE), row(DOUBLE, "digest", "another", true, Standing.RANKED)),
                pair(sound(BASELINE), row(DOUBLE, "another", "host", true, Standing.PROVISIONAL)),
                pair(sound(BASELINE), sound(List.of(400.0))),
                pair(sound(BASELINE), sound(List.of(0.0, 1.0)))));
        assertThat(Objects.requireNonNull(summary.mean()).cells()).isEqualTo(2);
        assertThat(summary.mean().ratio()).isCloseTo(Math.sqrt(2), within(1e-12));
        assertThat(summary.acrossRuns())
                .as("the second has both sides of one run")
                .isOne();
        assertThat(summary.leftOutWords())
                .isEqualTo("6 left out: 1 without a ratio, 1 with one trial on a side,"
                        + " 1 with too few requests beyond the percentile, 1 with an unranked side,"
                        + " 1 with a changed host, 1 with two builds of the server");
        JsonNode leftOut = StrictJson.mapper().valueToTree(summary).path("leftOut");
        assertThat(leftOut.path("other-host").asInt()).isOne();
        assertThat(leftOut.size()).isEqualTo(6);
    }

    @Test
    void nothing_that_may_be_judged_has_no_mean() {
        RatioSummary summary = RatioSummary.of(List.of(pair(sound(List.of(1.0)), sound(List.of(2.0)))));
        assertThat(summary.mean()).isNull();
        assertThat(summary.leftOutWords()).isEqualTo("1 left out: 1 with one trial on a side");
        assertThat(RatioSummary.of(List.of()).leftOutWords()).isEmpty();
    }

    private static Comparison.Pair pair(CellMatcher.Row baseline, CellMatcher.Row candidate) {
        return CellMatcher.pair(ComparisonDimension.JDK, baseline, candidate, null);
    }

    private static CellMatcher.Row sound(List<Double> values) {
        return row(values, "digest", "host", true, Standing.RANKED);
    }

    private static CellMatcher.Row row(
            List<Double> values, String digest, String host, boolean eligible, Standing standing) {
        return new CellMatcher.Row(
                "family",
                "build",
                digest,
                host,
                eligible,
                new Comparison.Cell(
                        "io@1?;constant:rate=300,seconds=12",
                        "io",
                        new ServerVariant("spring-mvc", "virtual", ConcurrencyModel.VIRTUAL_THREADS, null),
                        new CellSettings("G1", List.of(), Limits.of("{}"), "quick/1"),
                        new MachineRef("mac_1", "one", "One"),
                        null,
                        "response_p50_ms"),
                new Comparison.Side(
                        "ser_1",
                        "run_" + values.hashCode() + values.size(),
                        "cel_1",
                        Instant.EPOCH,
                        values.getFirst(),
                        values,
                        standing,
                        null,
                        null),
                null);
    }
}
