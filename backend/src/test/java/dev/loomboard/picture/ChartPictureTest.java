package dev.loomboard.picture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.loomboard.view.Chart;
import dev.loomboard.view.Chart.Point;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.parser.Parser;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Charts as pictures: what was not measured stays a gap, and every word is only a word. */
final class ChartPictureTest {

    @Test
    void a_gap_and_a_break_are_led_to_by_no_stroke() {
        Chart.Line line = new Chart.Line(
                "one", 1, List.of(), List.of(at(0, 5.0), at(1, null), at(2, 7.0), at(3, 6.0), at(4, 6.5)), List.of(4));
        String stroke = strokes(svg(chart(Chart.Kind.LINE, line))).getFirst();
        assertThat(stroke.chars().filter(c -> c == 'M').count()).as(stroke).isEqualTo(3);
        assertThat(stroke.chars().filter(c -> c == 'L').count()).as(stroke).isEqualTo(1);
    }

    @Test
    void a_point_has_its_interval_and_one_trial_has_none() {
        Chart.Line line = new Chart.Line(
                "one",
                1,
                List.of(),
                List.of(new Point(0, 5.0, 4.0, 6.0, "5", null, null), new Point(1, 7.0, null, null, "7", null, null)));
        String intervals = strokes(svg(chart(Chart.Kind.POINTS, line))).get(1);
        assertThat(intervals).matches("M[0-9.]+ [0-9.]+V[0-9.]+");
    }

    @Test
    void where_nothing_was_measured_it_says_so() {
        Document svg = svg(chart(Chart.Kind.LINE, new Chart.Line("one", 1, List.of(), List.of(at(0, null)))));
        assertThat(svg.select("text").eachText()).contains("not measured");
        assertThat(svg.select("clipPath")).isEmpty();
    }

    @Test
    void it_says_what_it_is_of_and_where_it_is_from() {
        Document svg =
                svg(chart(Chart.Kind.LINE, new Chart.Line("one", 1, List.of(6, 4), List.of(at(0, 5.0), at(1, 6.0)))));
        assertThat(svg.select("text").eachText())
                .contains(
                        "Response time",
                        "virtual",
                        "time, ms · the axis does not start at 0",
                        "one",
                        "a caption",
                        "/trials/x");
        assertThat(svg.select("title").text()).isEqualTo("Response time, virtual");
        assertThat(svg.select("path[stroke-dasharray=6 4]"))
                .as("legend and line")
                .hasSize(2);
    }

    @Test
    void words_of_any_kind_are_words() {
        String hostile = "<script>alert(1)</script>\u0000\ud800&\"";
        Chart chart = chart(Chart.Kind.LINE, new Chart.Line(hostile, 1, List.of(), List.of(at(0, 5.0), at(1, 6.0))));
        Document svg = parsed(ChartPicture.of(List.of(chart), null, hostile, hostile));
        assertThat(svg.select("script")).isEmpty();
        assertThat(svg.select("text").eachText()).contains("<script>alert(1)</script>\ufffd\ufffd&\"");
    }

    @Test
    void a_chart_that_the_page_does_not_have_is_refused_with_those_that_it_has() {
        Chart chart = chart(Chart.Kind.LINE, new Chart.Line("one", 1, List.of(), List.of(at(0, 5.0))));
        assertThatThrownBy(() -> ChartPicture.of(List.of(chart), "none", "", ""))
                .hasMessageContaining("must be one of latency");
    }

    @Test
    void marks_of_each_colour_have_a_shape_of_their_own() {
        assertThat(List.of(1, 2, 3, 4, 5).stream().map(colour -> Plot.marker(colour, 10, 10)))
                .doesNotHaveDuplicates();
    }

    @Test
    void axes_have_round_values_inside_their_range() {
        assertThat(new Axis(0, 1, false, 0, 100).ticks(6).stream().map(Axis.Tick::text))
                .containsExactly("0.0", "0.2", "0.4", "0.6", "0.8", "1.0");
        assertThat(new Axis(97.5, 131, false, 0, 100).ticks(6).stream().map(Axis.Tick::text))
                .containsExactly("100", "110", "120", "130");
        assertThat(new Axis(2, 20_000, true, 0, 400).place(200)).isCloseTo(200, within(1e-9));
        assertThatThrownBy(() -> new Axis(1, 1, false, 0, 1)).hasMessageContaining("must rise");
    }

    @Test
    void colours_are_those_of_the_pages() throws IOException, IllegalAccessException {
        String tokens = Files.readString(Path.of("../frontend/static/css/tokens.css"));
        for (Field field : Ink.class.getDeclaredFields()) {
            field.setAccessible(true);
            Object colour = field.get(null);
            for (Object one : colour instanceof String[] several ? several : new Object[] {colour}) {
                assertThat(tokens).as(field.getName()).contains("light-dark(" + one + ",");
            }
        }
    }

    private static Point at(double x, @Nullable Double y) {
        return Point.of(x, y);
    }

    private static Chart chart(Chart.Kind kind, Chart.Line line) {
        return new Chart(
                "latency",
                "Response time",
                "a caption",
                kind,
                new Chart.AxisName("seconds", "s"),
                new Chart.AxisName("time", "ms"),
                new Chart.Extent(false, false, null, null),
                List.of(),
                List.of(line),
                Chart.Overlay.NONE);
    }

    private static Document svg(Chart chart) {
        return parsed(ChartPicture.of(List.of(chart), null, "virtual", "/trials/x"));
    }

    private static Document parsed(byte[] svg) {
        return Jsoup.parse(new String(svg, StandardCharsets.UTF_8), "", Parser.xmlParser());
    }

    /** Those of the plot. */
    private static List<String> strokes(Document svg) {
        return svg.select("g path[fill=none]").eachAttr("d");
    }
}
