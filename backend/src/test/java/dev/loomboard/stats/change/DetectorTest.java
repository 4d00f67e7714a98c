package dev.loomboard.stats.change;

import static dev.loomboard.stats.Values.digits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Known results of Apache Otava 0.8, to the digits given. */
final class DetectorTest {

    private static final double[] A20 = {
        1.02, .95, .99, 1.00, 1.12, 1.00, 1.01, .98, 1.01, .96, .50, .51, .48, .48, .55, .50, .49, .51, .50, .49
    };
    private static final double[] S1 = {1.02, .95, .99, 1.00, 1.12, .90, .50, .51, .48, .48, .55};
    private static final double[] SEQ14 = {
        .3, 2.4, 1.5, -.9, -.5, 99.7, 98.3, 99.1, 149.0, 149.7, 149.5, 149.1, 148.8, 150.0
    };

    @Test
    void a_halved_level_is_found_at_its_first_point() {
        ChangePoint only = only(new Detector(10, 1e-4, 0).changePoints(A20));
        assertThat(only.index()).isEqualTo(10);
        assertThat(only.qhat()).isCloseTo(2.29, within(1e-12));
        assertThat(only.p()).isCloseTo(1.427172839e-17, digits(1.427172839e-17, 10));
        assertThat(only.before()).isCloseTo(1.004, within(1e-12));
        assertThat(only.after()).isCloseTo(0.501, within(1e-12));
    }

    @Test
    void six_points_against_five_are_enough() {
        ChangePoint only = only(Detector.DEFAULT.changePoints(S1));
        assertThat(only.index()).isEqualTo(6);
        assertThat(only.qhat()).isCloseTo(2.3545454545, within(5e-11));
        assertThat(only.p()).isCloseTo(9.470438655e-08, digits(9.470438655e-08, 10));
    }

    @Test
    void two_steps_close_together_are_two() {
        List<ChangePoint> points = Detector.DEFAULT.changePoints(SEQ14);
        assertThat(points).extracting(ChangePoint::index).containsExactly(5, 8);
        assertThat(points.get(0).qhat()).isCloseTo(761.2821428571, within(5e-11));
        assertThat(points.get(1).qhat()).isCloseTo(198.2666666667, within(5e-11));
    }

    @Test
    void a_years_nights_give_the_known_points() throws IOException {
        List<ChangePoint> points = Detector.DEFAULT.changePoints(tigerbeetle());
        assertThat(points).extracting(ChangePoint::index).containsExactly(15, 61, 71, 95, 117, 131, 192, 212);
        double[] known = {3.050715979e-07, 4.828267491e-22, 2.771691140e-33};
        for (int i = 0; i < known.length; i++) {
            assertThat(points.get(i).p()).isCloseTo(known[i], digits(known[i], 10));
        }
        assertThat(points.get(2).change()).isCloseTo(0.15981, within(5e-6));
    }

    @Test
    void a_least_magnitude_leaves_the_great_steps() throws IOException {
        assertThat(indices(new Detector(50, 0.001, 0.05), tigerbeetle())).containsExactly(15, 71);
        assertThat(indices(new Detector(30, 0.01, 0.05), tigerbeetle())).containsExactly(15, 71);
    }

    @Test
    void a_step_without_noise_is_found_and_none_in_a_constant() {
        double[] step =
                IntStream.range(0, 30).mapToDouble(i -> i < 15 ? 50 : 100).toArray();
        assertThat(indices(Detector.DEFAULT, step)).containsExactly(15);
        double[] flat = new double[30];
        Arrays.fill(flat, 50);
        assertThat(indices(Detector.DEFAULT, flat)).isEmpty();
        Arrays.fill(flat, 0.1); // its sum is not 30 times as much
        assertThat(indices(Detector.DEFAULT, flat)).isEmpty();
    }

    @Test
    void too_short_a_series_has_no_change_points() {
        assertThat(indices(Detector.DEFAULT)).isEmpty();
        assertThat(indices(Detector.DEFAULT, 1)).isEmpty();
        assertThat(indices(Detector.DEFAULT, 1, 100)).isEmpty();
    }

    @Test
    void what_is_no_number_is_refused() {
        assertThatThrownBy(() -> Detector.DEFAULT.changePoints(new double[] {1, Double.NaN}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("value at 1");
        assertThatThrownBy(() -> new Detector(1, 0.1, 0)).hasMessageContaining("window");
        assertThatThrownBy(() -> new Detector(2, 0, 0)).hasMessageContaining("p must");
        assertThatThrownBy(() -> new Detector(2, 0.1, -1)).hasMessageContaining("magnitude");
    }

    @Property(tries = 200)
    void a_split_is_the_greatest_of_the_definition(
            @ForAll @Size(min = 2, max = 14) List<@DoubleRange(min = -100, max = 100) Double> values) {
        double[] series = values.stream().mapToDouble(v -> v).toArray();
        double greatest = Double.NEGATIVE_INFINITY;
        for (int tau = 1; tau < series.length; tau++) {
            for (int kappa = tau + 1; kappa <= series.length; kappa++) {
                greatest = Math.max(greatest, q(series, tau, kappa));
            }
        }
        assertThat(Split.best(series, 0, 0, series.length).qhat()).isCloseTo(greatest, within(1e-9));
    }

    @Property(tries = 100)
    void points_stay_when_the_unit_is_doubled(
            @ForAll @Size(min = 2, max = 80) List<@IntRange(min = 1, max = 40) Integer> values,
            @ForAll @IntRange(min = 2, max = 60) int window) {
        double[] series = values.stream().mapToDouble(v -> v).toArray();
        double[] doubled = values.stream().mapToDouble(v -> v * 2.0).toArray(); // exact in binary
        Detector detector = new Detector(window, 0.05, 0);
        List<ChangePoint> points = detector.changePoints(series);
        assertThat(detector.changePoints(series)).isEqualTo(points);
        assertThat(indices(detector, doubled))
                .isEqualTo(points.stream().map(ChangePoint::index).toList());
        assertThat(points).extracting(ChangePoint::index).isSorted().doesNotHaveDuplicates();
        assertThat(points).allMatch(point -> point.index() > 0 && point.p() < 0.05);
    }

    @Property(tries = 30)
    void a_series_that_grows_gives_the_same_night_by_night(
            @ForAll @Size(min = 2, max = 120) List<@IntRange(min = 1, max = 9) Integer> values,
            @ForAll @IntRange(min = 2, max = 30) int window) {
        double[] series = values.stream().mapToDouble(v -> v).toArray();
        Detector detector = new Detector(window, 0.05, 0);
        Map<Integer, List<ChangePoint>> known = new HashMap<>();
        for (int length = 1; length <= series.length; length++) {
            double[] sofar = Arrays.copyOf(series, length);
            assertThat(detector.changePoints(sofar, known)).isEqualTo(detector.changePoints(sofar));
        }
    }

    private static double q(double[] series, int tau, int kappa) {
        int n = tau;
        int m = kappa - tau;
        double across = distances(series, 0, tau, tau, kappa);
        double left = n < 2 ? 0 : distances(series, 0, tau, 0, tau) / 2 * m / (n - 1);
        double right = m < 2 ? 0 : distances(series, tau, kappa, tau, kappa) / 2 * n / (m - 1);
        return 2.0 / (m + n) * (across - left - right);
    }

    private static double distances(double[] series, int from, int to, int otherFrom, int otherTo) {
        double sum = 0;
        for (int i = from; i < to; i++) {
            for (int j = otherFrom; j < otherTo; j++) {
                sum += Math.abs(series[i] - series[j]);
            }
        }
        return sum;
    }

    private static List<Integer> indices(Detector detector, double... series) {
        List<Integer> indices = new ArrayList<>();
        detector.changePoints(series).forEach(point -> indices.add(point.index()));
        return indices;
    }

    private static ChangePoint only(List<ChangePoint> points) {
        assertThat(points).hasSize(1);
        return points.getFirst();
    }

    private static double[] tigerbeetle() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("src/test/resources/stats/tigerbeetle.csv"))) {
            double[] series = lines.mapToDouble(Double::parseDouble).toArray();
            assertThat(series).hasSize(365);
            assertThat(Arrays.stream(series).sum()).isEqualTo(10_218_214);
            return series;
        }
    }

    @Test
    void pooled_t_test_gives_the_specifications_vector() {
        assertThat(pooled(List.of(1.00, 1.02, 1.05, .95, .98), List.of(.80, .82, .85, .79, .77)))
                .isCloseTo(8.867907053e-06, within(5e-16));
    }

    @Test
    void t_test_of_constant_sides_is_certain_or_none() {
        assertThat(pooled(List.of(1.0, 1.0), List.of(2.0, 2.0))).isZero();
        assertThat(pooled(List.of(1.0, 1.0), List.of(1.0, 1.0))).isNaN();
        assertThat(pooled(List.of(1.0), List.of(7.0))).isEqualTo(1);
    }

    private static double pooled(List<Double> left, List<Double> right) {
        return TTest.pooledPopulation(segment(left), segment(right));
    }

    private static Segment segment(List<Double> values) {
        return Segment.of(values.stream().mapToDouble(v -> v).toArray(), 0, values.size());
    }
}
