package dev.loomboard.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Bench;
import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.RankedMachines;
import dev.loomboard.kit.WebTest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is odd of a machine's results stands on its page, and changes how none of them stands. */
final class OddityTest extends WebTest {

    private static final String SCENARIO = "odd@1?;constant:rate=300,seconds=12";

    private final RankedMachines machines = new RankedMachines(service);

    @Test
    void page_of_a_machine_lists_clock_steps_identical_figures_and_who_disagrees() {
        machines.ranked("odd-one", SCENARIO, 101);
        long jdk = number("select jdk_build_id from jdk_build where slug = 'odd-one-25'");
        Bench other = new Bench(database, "odd-two");
        other.qualify();
        Bench.Cell cell = machines.again(other, jdk, SCENARIO, 202);
        execute("update point set trial_values[1] = trial_values[1] * 1.001 where cell_id = " + cell.id()
                + " and series_id in (select series_id from series where metric = 'response_mean_ms')");
        assertThat(odd("odd-two"))
                .as("the kit's trials all use the same CPU")
                .anySatisfy(line -> assertThat(line)
                        .contains("All 10 trials have the same Server CPU per request", "spring-mvc virtual"))
                .noneMatch(line -> line.contains("Response time mean"))
                .noneMatch(line -> line.contains("clock"));
        assertThat(odd("odd-two"))
                .anySatisfy(
                        line -> assertThat(line).contains("differs by +99.9", "another machine of its class, Bench"));
        assertThat(odd("odd-one")).anySatisfy(line -> assertThat(line).contains("differs by −50"));

        execute("update trial set skew_ns = ordinal * 4000000000 where ordinal <= 2 and run_id = " + cell.run());
        assertThat(odd("odd-two")).noneMatch(line -> line.contains("clock"));
        execute("update trial set skew_ns = ordinal * 6000000000 where ordinal <= 2 and run_id = " + cell.run());
        assertThat(odd("odd-two"))
                .anySatisfy(line ->
                        assertThat(line).contains("Its clock moved by 6\u202fs relative to the clock of the service"));
        assertThat(machines.ranks(SCENARIO)).containsExactly("odd-one 1–1 of 2", "odd-two 2–2 of 2");
    }

    @Test
    void what_a_private_run_shows_is_its_workspaces_alone() {
        machines.ranked("odd-secret", "odd-secret@1?;constant:rate=300,seconds=12", 101);
        assertThat(odd("odd-secret")).isNotEmpty();
        execute(
                "update run set visibility = 'private' where machine_id = (select machine_id from machine where slug = 'odd-secret')");
        assertThat(odd("odd-secret")).isEmpty();
        assertThat(page(as(Role.OWNER), "/w/main/machines/odd-secret").select("#odd ~ ul li"))
                .isNotEmpty();
    }

    private List<String> odd(String machine) {
        return page(client, "/w/main/machines/" + machine)
                .select("#odd + p + ul li")
                .eachText();
    }
}
