package dev.loomboard.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.cell.Availability;
import dev.loomboard.cell.CellSettings;
import dev.loomboard.cell.ConcurrencyModel;
import dev.loomboard.cell.Limits;
import dev.loomboard.cell.ServerVariant;
import dev.loomboard.expansion.Cell;
import dev.loomboard.expansion.PlannedScenario;
import dev.loomboard.jdk.JdkBuild;
import dev.loomboard.scenario.Load;
import dev.loomboard.stats.Scale;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a run's family is, before anything is measured. */
final class DeclaredTestTest {

    private static final Load OPEN = new Load.Constant(300, 12);
    private static final Load CLOSED = new Load.Closed(50, 12);

    @Test
    void every_pair_of_builds_of_a_group_is_declared_on_each_metric_of_its_load_the_older_as_the_baseline() {
        List<DeclaredTest> tests = of(
                TestDimension.JDK,
                List.of(
                        cell(0, "virtual", OPEN, 27),
                        cell(1, "virtual", OPEN, 26),
                        cell(2, "virtual", OPEN, 25),
                        cell(3, "platform", OPEN, 27), // alone in its group
                        cell(4, "virtual", CLOSED, 27),
                        cell(5, "virtual", CLOSED, 25)));
        assertThat(tests).hasSize(3 * 5 + 4);
        assertThat(tests.subList(0, 5))
                .containsExactly(
                        new DeclaredTest(TestDimension.JDK, 2, 1, "response_excess_p50_ms"),
                        new DeclaredTest(TestDimension.JDK, 2, 1, "response_excess_p99_ms"),
                        new DeclaredTest(TestDimension.JDK, 2, 1, "cpu_us_per_request"),
                        new DeclaredTest(TestDimension.JDK, 2, 1, "rss_mib"),
                        new DeclaredTest(TestDimension.JDK, 2, 1, "error_ratio"));
        assertThat(tests)
                .contains(
                        new DeclaredTest(TestDimension.JDK, 2, 0, "rss_mib"),
                        new DeclaredTest(TestDimension.JDK, 1, 0, "rss_mib"));
        assertThat(tests.subList(15, 19))
                .extracting(DeclaredTest::metric)
                .containsExactly("throughput_per_s", "cpu_us_per_request", "rss_mib", "error_ratio");
        assertThat(tests.get(15).baseline()).isEqualTo(5);
    }

    @Test
    void variants_are_a_family_of_their_own_each_against_the_first_of_the_matrix_and_the_first_of_its_server() {
        List<Cell> cells = List.of(
                cell(0, "mvc", "platform", "G1", Limits.NONE, OPEN, 25),
                cell(1, "mvc", "platform", "G1", Limits.NONE, OPEN, 26),
                cell(2, "mvc", "virtual", "G1", Limits.NONE, OPEN, 25),
                cell(3, "mvc", "virtual", "G1", Limits.NONE, OPEN, 26),
                cell(4, "other", "platform", "G1", Limits.NONE, OPEN, 25),
                cell(5, "other", "virtual", "G1", Limits.NONE, OPEN, 25),
                cell(6, "other", "virtual", "G1", Limits.NONE, CLOSED, 25)); // alone in its scenario
        assertThat(of(TestDimension.SERVER, cells).stream()
                        .filter(test -> test.metric().equals("rss_mib"))
                        .toList())
                .extracting(DeclaredTest::baseline, DeclaredTest::candidate)
                .containsExactly(tuple(0, 2), tuple(0, 4), tuple(0, 5), tuple(4, 5), tuple(1, 3));
        assertThat(of(TestDimension.JDK, cells))
                .as("what the builds' family is does not depend on other axes")
                .hasSize(2 * 5);
        assertThat(of(TestDimension.COLLECTOR, cells)).isEmpty();
        assertThat(of(TestDimension.LIMITS, cells)).isEmpty();
    }

    @Test
    void collectors_and_limits_are_families_too_against_the_first_that_the_matrix_lists() {
        Limits half = new Limits(0.5, null);
        List<Cell> cells = List.of(
                cell(0, "mvc", "virtual", "G1", Limits.NONE, OPEN, 25),
                cell(1, "mvc", "virtual", "G1", half, OPEN, 25),
                cell(2, "mvc", "virtual", "ZGC", Limits.NONE, OPEN, 25),
                cell(3, "mvc", "virtual", "ZGC", half, OPEN, 25),
                cell(4, "mvc", "virtual", "Serial", Limits.NONE, OPEN, 25));
        assertThat(of(TestDimension.COLLECTOR, cells))
                .filteredOn(test -> test.metric().equals("rss_mib"))
                .extracting(DeclaredTest::baseline, DeclaredTest::candidate)
                .containsExactly(tuple(0, 2), tuple(0, 4), tuple(1, 3));
        assertThat(of(TestDimension.LIMITS, cells))
                .filteredOn(test -> test.metric().equals("rss_mib"))
                .extracting(DeclaredTest::baseline, DeclaredTest::candidate)
                .containsExactly(tuple(0, 1), tuple(2, 3));
        assertThat(of(TestDimension.JDK, cells)).isEmpty();
        assertThat(of(TestDimension.SERVER, cells)).isEmpty();
    }

    @Test
    void what_is_declared_is_a_ratio_with_a_margin_that_can_be_better_and_is_compared() {
        for (Load load : List.of(OPEN, CLOSED)) {
            for (String name : DeclaredTest.metrics(load)) {
                Metric metric = Metrics.all().get(name);
                assertThat(metric.scale()).as(name).isEqualTo(Scale.LN);
                assertThat(metric.delta()).as(name).isPositive();
                assertThat(metric.better()).as(name).isNotEqualTo(Metric.Preferred.NONE);
                assertThat(DeclaredTest.COMPARED).contains(name);
            }
        }
    }

    @Test
    void offered_rate_is_never_judged() {
        assertThat(DeclaredTest.metrics(OPEN)).doesNotContain("throughput_per_s");
        assertThat(DeclaredTest.metrics(new Load.Poisson(300, 12, 1))).isEqualTo(DeclaredTest.metrics(OPEN));
    }

    private static List<DeclaredTest> of(TestDimension axis, List<Cell> cells) {
        return DeclaredTest.of(cells).stream()
                .filter(test -> test.axis() == axis)
                .toList();
    }

    private static Cell cell(int ordinal, String variant, Load load, int feature) {
        return cell(ordinal, "spring-mvc", variant, "G1", Limits.NONE, load, feature);
    }

    private static Cell cell(
            int ordinal, String server, String variant, String collector, Limits limits, Load load, int feature) {
        JdkBuild jdk = new JdkBuild(
                new JdkBuild.Internals(feature, List.of((long) feature)),
                "temurin-" + feature,
                "temurin-" + feature,
                "temurin",
                feature + "+1",
                feature,
                Availability.GA,
                "amd64");
        return new Cell(
                ordinal,
                new ServerVariant(server, variant, ConcurrencyModel.VIRTUAL_THREADS, "Spring Boot 4.1.0"),
                new PlannedScenario("io@1?;" + load.canonical(), "io", 1, Map.of(), load, null),
                100,
                new CellSettings(collector, List.of(), limits, "quick/1"),
                jdk);
    }
}
