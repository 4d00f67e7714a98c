package dev.loomboard.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.loomboard.cell.Availability;
import dev.loomboard.cell.CellSettings;
import dev.loomboard.cell.ConcurrencyModel;
import dev.loomboard.cell.Limits;
import dev.loomboard.cell.ServerVariant;
import dev.loomboard.expansion.Cell;
import dev.loomboard.expansion.PlannedScenario;
import dev.loomboard.jdk.JdkBuild;
import dev.loomboard.jdk.JdkVersion;
import dev.loomboard.scenario.Load;
import dev.loomboard.stats.paired.Judgement;
import dev.loomboard.stats.paired.Power;
import dev.loomboard.verdict.DeclaredTest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class MetricPowerTest {

    private static final CellSettings SETTINGS = new CellSettings("G1", List.of(), Limits.NONE, "few/1");
    private static final JdkBuild OLD = build("25.0.3+9");
    private static final JdkBuild NEW = build("28-ea+18");
    private static final List<Cell> CELLS = List.of(
            cell(0, "virtual", OLD), cell(1, "virtual", NEW), cell(2, "platform", OLD), cell(3, "platform", NEW));

    @Test
    void change_that_is_named_is_found_in_four_of_five_runs() {
        MetricPower cpu = cpu(20, Map.of());
        assertThat(cpu.family()).as("two series of four metrics").isEqualTo(8);
        double error = SeriesSpread.ASSUMED * Math.sqrt(2.0 / 20);
        double size = Math.log1p(Objects.requireNonNull(cpu.night()).low()) / error;
        double margin = Math.log1p(DeclaredTest.margin(DeclaredTest.CPU).delta()) / error;
        assertThat(Power.ofVerdict(size, margin, 19, Judgement.ALPHA / 8)).isCloseTo(Power.WANTED, within(0.02));
    }

    @Test
    void measured_spread_takes_the_place_of_the_assumed_one() {
        SeriesSpread.Key key = SeriesSpread.Key.of(CELLS.getFirst(), DeclaredTest.CPU);
        MetricPower cpu = cpu(5, Map.of(key, new SeriesSpread(400, 0.005)));
        assertThat(cpu.series()).isEqualTo(2);
        assertThat(cpu.measured()).isEqualTo(1);
        assertThat(cpu.rerun().low()).isLessThan(cpu.rerun().high());
        MetricPower.Range assumed = cpu(5, Map.of()).rerun();
        assertThat(cpu.rerun().high()).isEqualTo(assumed.high());
        assertThat(assumed.low()).isEqualTo(assumed.high());
        assertThat(cpu.rerun().low())
                .as("no verdict without the margin")
                .isGreaterThan(DeclaredTest.margin(DeclaredTest.CPU).delta());
    }

    @Test
    void two_trials_a_cell_find_nothing_by_themselves() {
        assertThat(cpu(2, Map.of()).night()).isNull();
        assertThat(cpu(3, Map.of()).night()).isNotNull();
    }

    @Test
    void more_blocks_find_smaller_changes() {
        assertThat(Objects.requireNonNull(cpu(30, Map.of()).night()).low())
                .isLessThan(Objects.requireNonNull(cpu(5, Map.of()).night()).low());
    }

    @Test
    void one_build_is_compared_with_nothing() {
        assertThat(MetricPower.of(List.of(CELLS.getFirst()), 5, Map.of())).isEmpty();
    }

    private static MetricPower cpu(int blocks, Map<SeriesSpread.Key, SeriesSpread> spreads) {
        return MetricPower.of(CELLS, blocks, spreads).stream()
                .filter(power -> power.metric().equals(DeclaredTest.CPU))
                .findFirst()
                .orElseThrow();
    }

    private static Cell cell(int ordinal, String variant, JdkBuild jdk) {
        Load load = new Load.Constant(300, 12);
        return new Cell(
                ordinal,
                new ServerVariant("spring-mvc", variant, ConcurrencyModel.VIRTUAL_THREADS, "spring"),
                new PlannedScenario("io@1", "io", 1, Map.of(), load, null),
                0,
                SETTINGS,
                jdk);
    }

    private static JdkBuild build(String version) {
        JdkVersion parsed = JdkVersion.parse(version);
        return new JdkBuild(
                new JdkBuild.Internals(version.hashCode(), parsed.order()),
                version,
                version,
                "temurin",
                version,
                Math.toIntExact(parsed.numbers().getFirst()),
                parsed.early() ? Availability.EA : Availability.GA,
                "amd64");
    }
}
