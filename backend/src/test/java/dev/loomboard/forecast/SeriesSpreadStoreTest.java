package dev.loomboard.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.loomboard.cell.CellSettings;
import dev.loomboard.cell.Limits;
import dev.loomboard.kernel.MachineId;
import dev.loomboard.kit.Bench;
import dev.loomboard.kit.StoreTest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class SeriesSpreadStoreTest extends StoreTest {

    private static final String CPU = "cpu_us_per_request";

    private final Bench bench = new Bench(database, "spreads");
    private final SeriesSpreadStore store = new SeriesSpreadStore(database);

    @Test
    void spread_is_pooled_within_cells_so_that_what_differs_between_builds_is_none() {
        long jdk = bench.jdk("temurin-25_1-amd64", 25, 1);
        long other = bench.jdk("temurin-26_1-amd64", 26, 1);
        long run = bench.newRun("public");
        launches(bench.cell(run, jdk, new Bench.Point(Bench.SCENARIO, 0, "{}")), 100, 110, 121);
        launches(bench.cell(run, other, new Bench.Point(Bench.SCENARIO, 1, "{}")), 200, 220, 242);
        Map<SeriesSpread.Key, SeriesSpread> spreads = of("quick/1");
        SeriesSpread.Key key = new SeriesSpread.Key(
                "spring-mvc",
                "virtual",
                Bench.SCENARIO,
                new CellSettings("G1", List.of(), Limits.NONE, "quick/1"),
                CPU);
        assertThat(spreads).containsKey(key);
        SeriesSpread spread = Objects.requireNonNull(spreads.get(key));
        assertThat(spread.spread()).as("of three launches 10 %% apart").isCloseTo(Math.log(1.1), within(1e-9));
        assertThat(spread.level()).isCloseTo(110 * Math.sqrt(2), within(1e-6));
        assertThat(of("other/1")).isEmpty();
    }

    @Test
    void few_launches_tell_no_spread_and_useless_ones_do_not_count() {
        long jdk = bench.jdk("temurin-27_1-amd64", 27, 1);
        Bench.Cell cell = bench.cell(jdk, "public", new Bench.Point("few@1", 0, "{}"));
        launches(cell, 100, 101, 102, 103);
        assertThat(of("quick/1"))
                .noneSatisfy((key, spread) -> assertThat(key.scenario()).isEqualTo("few@1"));
        Bench.Trial invalid = bench.ended(bench.planned(cell, "scored", 9, 1), "done", "invalid");
        metric(invalid, 500);
        assertThat(of("quick/1"))
                .noneSatisfy((key, spread) -> assertThat(key.scenario()).isEqualTo("few@1"));
        metric(bench.ended(bench.planned(cell, "scored", 10, 1), "done", "valid"), 104);
        assertThat(of("quick/1")).anySatisfy((key, spread) -> {
            assertThat(key.scenario()).isEqualTo("few@1");
            assertThat(spread.spread()).isLessThan(0.05);
        });
    }

    private Map<SeriesSpread.Key, SeriesSpread> of(String protocol) {
        MachineId machine = new MachineId(number("select machine_id from machine where slug = 'spreads'"));
        return await(store.of(machine, protocol, List.of(CPU)));
    }

    private void launches(Bench.Cell cell, double... values) {
        for (int i = 0; i < values.length; i++) {
            metric(bench.ended(bench.planned(cell, "scored", i + 1, 1), "done", "valid"), values[i]);
        }
    }

    private void metric(Bench.Trial trial, double value) {
        execute("insert into trial_metric (trial_id, metric, value, eligible) values (%d, '%s', %s, true)"
                .formatted(trial.id(), CPU, value));
    }
}
