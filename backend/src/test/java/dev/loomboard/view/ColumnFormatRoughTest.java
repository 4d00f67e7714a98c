package dev.loomboard.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ColumnFormatRoughTest {

    @Test
    void one_launch_has_two_digits() {
        ColumnFormat micros = ColumnFormat.of("µs", List.of(2566.0, 2728.0));
        assertThat(micros.rough(2566)).isEqualTo(micros.text(2600));
        assertThat(ColumnFormat.of("MiB", List.of(3.14159)).rough(3.14159)).isEqualTo("3.1");
        assertThat(ColumnFormat.of("MiB", List.of(0.0)).rough(0)).isEqualTo("0");
    }
}
