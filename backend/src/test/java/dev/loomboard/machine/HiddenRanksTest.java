package dev.loomboard.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.RankedMachines;
import dev.loomboard.kit.WebTest;
import org.junit.jupiter.api.Test;
import org.springframework.web.reactive.function.BodyInserters;

/** A machine whose results are hidden leaves the public ranks at once, and these close up behind it. */
final class HiddenRanksTest extends WebTest {

    private static final String SCENARIO = "hidden-ranks@1?;constant:rate=300,seconds=12";

    private final RankedMachines machines = new RankedMachines(service);

    @Test
    void ranks_follow_a_machine_that_is_hidden_and_shown_again() {
        machines.ranked("ranks-one", SCENARIO, 101);
        machines.ranked("ranks-two", SCENARIO, 110);
        assertThat(machines.ranks(SCENARIO)).containsExactly("ranks-one 1–1 of 2", "ranks-two 2–2 of 2");
        show("ranks-one", "private");
        assertThat(machines.ranks(SCENARIO)).containsExactly("ranks-one 1–1 of 1", "ranks-two 1–1 of 1");
        show("ranks-one", "public");
        assertThat(machines.ranks(SCENARIO)).containsExactly("ranks-one 1–1 of 2", "ranks-two 2–2 of 2");
    }

    private void show(String machine, String visibility) {
        as(Role.OWNER)
                .post()
                .uri("/w/main/machines/" + machine + "/visibility")
                .body(BodyInserters.fromFormData("visibility", visibility))
                .exchange()
                .expectStatus()
                .is3xxRedirection();
    }
}
