package dev.loomboard.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The course of a history, as small as a word. */
final class SparklineTest {

    @Test
    void higher_is_further_up_and_the_whole_height_is_used() {
        assertThat(new Sparkline(List.of(10.0, 20.0, 15.0)).points()).isEqualTo("3.0,17.0 45.0,3.0 87.0,10.0");
    }

    @Test
    void what_moves_by_little_is_drawn_so() {
        Sparkline flat = new Sparkline(List.of(100.0, 101.0));
        assertThat(flat.points()).isEqualTo("3.0,10.7 87.0,9.3");
        assertThat(flat.lastX()).isEqualTo("87.0");
        assertThat(flat.lastY()).isEqualTo("9.3");
        assertThat(new Sparkline(List.of(0.0, 0.0)).points()).isEqualTo("3.0,10.0 87.0,10.0");
    }

    @Test
    void one_point_is_no_course() {
        assertThatThrownBy(() -> new Sparkline(List.of(1.0))).isInstanceOf(IllegalArgumentException.class);
    }
}
