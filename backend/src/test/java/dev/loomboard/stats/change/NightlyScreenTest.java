package dev.loomboard.stats.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class NightlyScreenTest {

    /** 175 blocks clear 6.7 reruns, of 200 series. */
    private final NightlyScreen screen = NightlyScreen.of(NightlyScreen.blocks(164), 200);

    @Test
    void rise_starts_one_and_a_fall_none() {
        assertThat(screen.rise(past(20), 0.05).starts()).isTrue();
        assertThat(screen.rise(past(20), -0.05).starts()).isFalse();
        assertThat(screen.rise(past(20), 0.01).starts()).isFalse();
    }

    @Test
    void larger_of_the_two_looks_is_told_with_its_size() {
        List<Double> past = new ArrayList<>(past(20));
        NightlyScreen.Rise usual = screen.rise(past, 0.05);
        assertThat(usual.before()).isFalse();
        assertThat(usual.size()).isCloseTo(0.05, within());
        past.set(19, -0.03);
        NightlyScreen.Rise before = screen.rise(past, 0.05);
        assertThat(before.before()).isTrue();
        assertThat(before.size()).isCloseTo(0.08, within());
        assertThat(before.nights()).isEqualTo(20);
    }

    /** Both by the same draws: five nights know their spread badly, so their limit is higher. */
    @Test
    void few_nights_start_no_more_by_chance_than_many() {
        double many = quiet(20);
        double few = quiet(5);
        assertThat(many).isBetween(0.025, 0.045);
        assertThat(few).isBetween(0.025, 0.05);
        assertThat(screen.rise(past(5), 0.05).limit())
                .isGreaterThan(screen.rise(past(20), 0.05).limit());
    }

    @Test
    void chance_is_about_the_share_of_quiet_nights_that_rise_as_much() {
        Random random = new Random(4);
        int rare = 0;
        for (int i = 0; i < 20_000; i++) {
            rare += screen.rise(drawn(random, 12), 0.02 * random.nextGaussian()).chance() < 0.05 ? 1 : 0;
        }
        assertThat(rare / 20_000.0).isBetween(0.03, 0.055);
    }

    @Test
    void few_series_do_not_make_it_ask_for_everything() {
        NightlyScreen few = NightlyScreen.of(175, 2);
        assertThat(few.limit()).isCloseTo(1.281552, org.assertj.core.api.Assertions.within(1e-6));
        assertThat(NightlyScreen.of(175, 400).limit()).isGreaterThan(screen.limit());
        assertThat(NightlyScreen.of(50, 200).limit()).isGreaterThan(screen.limit());
    }

    @Test
    void quick_blocks_do_not_make_more_reruns_than_their_error_is_chosen_for() {
        double seven = NightlyScreen.of(7 * NightlyScreen.CLEARED, 200).limit();
        assertThat(NightlyScreen.of(5000, 200).limit()).isEqualTo(seven);
        assertThat(NightlyScreen.of(5000, 400).limit()).isGreaterThan(seven);
    }

    @Test
    void nights_that_agree_to_the_last_digit_make_no_certainty() {
        assertThat(screen.rise(Collections.nCopies(20, 0.0), 0.001).starts()).isFalse();
        assertThat(screen.rise(Collections.nCopies(20, 0.0), 0.01).starts()).isTrue();
    }

    @Test
    void nights_that_already_lie_on_the_new_level_are_told_from_those_before() {
        List<Double> quiet = List.of(0.001, -0.002, 0.002, -0.001, 0.0);
        assertThat(screen.rise(quiet, 0.05).already()).isZero();
        List<Double> missed = List.of(0.001, -0.002, 0.002, -0.001, 0.0, 0.049, 0.047);
        assertThat(screen.rise(missed, 0.05).already()).isEqualTo(2);
        List<Double> once = List.of(0.001, -0.002, 0.05, -0.001, 0.0);
        assertThat(screen.rise(once, 0.05).already())
                .as("a night that stood out is not the level's begin")
                .isZero();
    }

    @Test
    void too_few_or_too_many_nights_are_refused() {
        assertThatThrownBy(() -> screen.rise(past(4), 0.05)).hasMessageContaining("from 5 to 20, are 4");
        assertThatThrownBy(() -> screen.rise(past(21), 0.05)).hasMessageContaining("are 21");
    }

    private double quiet(int nights) {
        Random random = new Random(3);
        int started = 0;
        for (int i = 0; i < 20_000; i++) {
            started += screen.rise(drawn(random, nights), 0.02 * random.nextGaussian())
                            .starts()
                    ? 1
                    : 0;
        }
        return started / 20_000.0;
    }

    private static List<Double> drawn(Random random, int nights) {
        List<Double> drawn = new ArrayList<>();
        for (int i = 0; i < nights; i++) {
            drawn.add(0.02 * random.nextGaussian());
        }
        return drawn;
    }

    private static List<Double> past(int nights) {
        List<Double> past = new ArrayList<>();
        for (int i = 0; i < nights; i++) {
            past.add(nights % 2 == 1 && i == 0 ? 0.0 : i % 2 == 0 ? 0.01 : -0.01);
        }
        return past;
    }

    private static org.assertj.core.data.Offset<Double> within() {
        return org.assertj.core.api.Assertions.within(1e-3);
    }
}
