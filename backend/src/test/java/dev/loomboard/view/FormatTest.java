package dev.loomboard.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loomboard.cell.Availability;
import dev.loomboard.cell.Jdk;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FormatTest {

    private static final char THIN = Format.THIN;

    @Test
    void three_keeps_three_significant_digits_and_every_digit_of_the_whole_part() {
        assertThat(Format.three(0.051234)).isEqualTo("0.0512");
        assertThat(Format.three(1.5)).isEqualTo("1.50");
        assertThat(Format.three(101.4)).isEqualTo("101");
        assertThat(Format.three(12480.2)).isEqualTo("12" + THIN + "480");
        assertThat(Format.three(0)).isEqualTo("0");
        assertThat(Format.three(-0.001)).isEqualTo("−0.00100");
    }

    @Test
    void a_parameter_is_written_as_it_was_set() {
        assertThat(Format.plain(1e-4)).isEqualTo("0.0001");
        assertThat(Format.plain(50)).isEqualTo("50");
        assertThat(Format.plain(0.01)).isEqualTo("0.01");
    }

    @Test
    void thousands_are_grouped_by_thin_unbreakable_spaces() {
        assertThat(Format.count(999)).isEqualTo("999");
        assertThat(Format.count(1600)).isEqualTo("1" + THIN + "600");
        assertThat(Format.count(1234567)).isEqualTo("1" + THIN + "234" + THIN + "567");
    }

    @Test
    void absent_is_not_zero() {
        assertThat(Format.threeOr(null, "not measured")).isEqualTo("not measured");
        assertThat(Format.threeOr(0.0, "not measured")).isEqualTo("0");
    }

    @Test
    void change_says_its_sign_and_never_minus_nothing() {
        assertThat(Format.change(1.032)).isEqualTo("+3.2" + THIN + "%");
        assertThat(Format.change(0.968)).isEqualTo("−3.2" + THIN + "%");
        assertThat(Format.change(1)).isEqualTo("+0.0" + THIN + "%");
        assertThat(Format.decimals(-0.001, 1)).isEqualTo("0.0");
    }

    @Test
    void change_of_ten_times_is_said_as_times() {
        assertThat(Format.change(9.99)).isEqualTo("+899" + THIN + "%");
        assertThat(Format.change(10226.4)).isEqualTo("×10" + THIN + "226");
        assertThat(Format.change(1 / 12.345)).isEqualTo("÷12.3");
        assertThat(Format.change(0)).isEqualTo("−100" + THIN + "%");
    }

    @Test
    void what_is_not_finite_is_refused() {
        assertThatThrownBy(() -> Format.three(Double.NaN)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void duration_is_said_in_its_two_greatest_units() {
        assertThat(Format.duration(Duration.ofSeconds(45))).isEqualTo("45" + THIN + "s");
        assertThat(Format.duration(Duration.ofSeconds(200))).isEqualTo("3" + THIN + "min 20" + THIN + "s");
        assertThat(Format.duration(Duration.ofMinutes(125))).isEqualTo("2" + THIN + "h 5" + THIN + "min");
    }

    @Test
    void column_has_one_unit_and_as_many_decimals_as_its_differences_need() {
        ColumnFormat close = ColumnFormat.of("ms", List.of(100.62, 101.11, 102.3));
        assertThat(close.unit()).isEqualTo("ms");
        assertThat(close.text(100.62)).isEqualTo("100.6");
        assertThat(close.text(102.3)).isEqualTo("102.3");
    }

    @Test
    void column_below_a_millisecond_is_in_microseconds_throughout() {
        ColumnFormat micros = ColumnFormat.of("ms", Arrays.asList(0.6, null, 0.8));
        assertThat(micros.unit()).isEqualTo("µs");
        assertThat(micros.text(0.6)).isEqualTo("600");
        assertThat(ColumnFormat.of("ms", List.of(0.6, 2.0)).unit()).isEqualTo("ms");
    }

    @Test
    void column_without_values_has_its_own_unit() {
        assertThat(ColumnFormat.of("ms", Arrays.asList(null, null)).unit()).isEqualTo("ms");
    }

    @Test
    void axis_holds_every_value_and_ignores_what_was_not_measured() {
        IntervalAxis axis = IntervalAxis.over(Arrays.asList(5.0, null, 10.0));
        assertThat(axis.from()).isLessThan(5);
        assertThat(axis.to()).isGreaterThan(10);
        assertThat(Double.parseDouble(axis.x(7.5))).isEqualTo(IntervalAxis.WIDTH / 2.0);
        assertThat(IntervalAxis.over(List.of(3.0)).x(3)).isEqualTo("100.0");
        assertThat(IntervalAxis.over(Arrays.asList((Double) null)).from()).isLessThan(1);
    }

    @Test
    void scenario_reads_its_canonical_key() {
        ScenarioText io = ScenarioText.of("io@1?delayMs=100;constant:rate=300,seconds=12");
        assertThat(io.name()).isEqualTo("io · 100" + THIN + "ms");
        assertThat(io.load()).isEqualTo("300/s for 12" + THIN + "s");
        assertThat(ScenarioText.of("compute@1?;constant:rate=60,seconds=12").name())
                .isEqualTo("compute");
        assertThat(ScenarioText.of("io@1?delayMs=100;ramp:start=300,step=50,seconds=10")
                        .load())
                .startsWith("ramp from 300/s by 50");
        ScenarioText far = ScenarioText.of("fortunes@1?;db=0+200;constant:rate=300,seconds=12");
        assertThat(far.name()).isEqualTo("fortunes · database 0" + THIN + "ms away, 200" + THIN + "ms back");
        assertThat(far.load()).isEqualTo(io.load());
        assertThat(ScenarioText.of("no key").words()).isEqualTo("no key");
    }

    @Test
    void short_version_drops_what_every_build_repeats() {
        assertThat(jdk("25.0.3+9-LTS", false).shortVersion()).isEqualTo("25.0.3+9");
        assertThat(jdk("28-ea+18-Debian-1", true).shortVersion()).isEqualTo("28-ea+18");
        assertThat(jdk("21.0.1+12", false).shortVersion()).isEqualTo("21.0.1+12");
    }

    @Test
    void chart_table_has_a_row_per_place_and_keeps_gaps() {
        Chart.Line a = new Chart.Line("a", 1, List.of(), List.of(Chart.Point.of(1, 5.0), Chart.Point.of(2, null)));
        Chart.Line b = new Chart.Line("b", 2, List.of(), List.of(Chart.Point.of(2, 7.0)));
        Chart chart = new Chart(
                "c",
                "C",
                "",
                Chart.Kind.LINE,
                new Chart.AxisName("s", null),
                new Chart.AxisName("y", "ms"),
                new Chart.Extent(false, true, null, null),
                List.of(),
                List.of(a, b),
                Chart.Overlay.NONE);
        assertThat(chart.rows()).hasSize(2);
        assertThat(chart.rows().get(0).cells().get(1)).isNull();
        Chart.Point gap = chart.rows().get(1).cells().get(0);
        assertThat(gap).isNotNull();
        assertThat(gap.y()).isNull();
    }

    private static Jdk jdk(String version, boolean ea) {
        return new Jdk("slug", "vendor", version, 25, ea ? Availability.EA : Availability.GA, "amd64", "hash");
    }
}
