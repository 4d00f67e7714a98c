package dev.loomboard.openid;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.Secret;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class VisitTest {

    private final Visit visit = new Visit(new Secret("lbo_" + "a2".repeat(26)));

    @Test
    void one_secret_makes_all_that_is_random_and_each_differs() {
        assertThat(Set.of(visit.state(), visit.nonce(), visit.verifier(), visit.challenge()))
                .hasSize(4)
                .allSatisfy(value -> assertThat(value).matches("[A-Za-z0-9_-]{43}"));
        assertThat(visit.state()).isEqualTo(new Visit(visit.secret()).state());
        assertThat(Visit.begun().state()).isNotEqualTo(visit.state());
    }

    @Test
    void only_its_own_state_is_its_answers() {
        assertThat(visit.began(visit.state())).isTrue();
        assertThat(visit.began("")).isFalse();
        assertThat(visit.began(visit.nonce())).isFalse();
        assertThat(visit.began(visit.state() + "x")).isFalse();
    }
}
