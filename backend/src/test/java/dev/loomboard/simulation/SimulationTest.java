package dev.loomboard.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.cli.Commands;
import dev.loomboard.stats.Methodology;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Stream;
import org.assertj.core.api.recursive.comparison.RecursiveComparisonConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.json.JsonMapper;

final class SimulationTest {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private record Result(int code, String out, String err) {}

    /** A formula that gives something else than it gave needs a new run: {@code make simulate JSON=…}. */
    @Test
    void published_figures_are_those_of_this_code() {
        Simulation published = Simulation.published();
        assertThat(published.format()).isEqualTo(Simulation.FORMAT);
        assertThat(published.methodology()).isEqualTo(Methodology.VERSION);
        assertThat(published.scenario()).isEqualTo(SimulationSetup.ofTheCode());
        assertThat(published.series()).isGreaterThanOrEqualTo(2000);
        assertThat(published.played()).extracting(NoiseResult::noise).containsExactly(Noise.values());
        assertThat(published.played()).allMatch(played -> played.year().series() == published.series());
        assertThat(published.findable()).allMatch(played -> played.series() == published.series());
        Simulation again = Simulation.run(published.seed(), Simulation.EXCERPT, 1, line -> {});
        assertThat(again.played())
                .usingRecursiveComparison(digestsMayDifferInTheLastBits())
                .isEqualTo(published.excerpt());
        assertThat(again.ranks()).isEqualTo(published.rankExcerpt());
        assertThat(again.findable())
                .usingRecursiveComparison(digestsMayDifferInTheLastBits())
                .isEqualTo(published.findableExcerpt());
    }

    /** The service starts reruns by its screen, too, so a year has the false messages of both. */
    @Test
    void false_messages_are_those_of_detector_and_screen() {
        Simulation published = Simulation.published();
        double years = (double) published.series() / published.scenario().installation();
        for (SimulationReport.Quiet row : SimulationReport.of(published).quiet()) {
            for (SimulationReport.False messages : row.messages()) {
                double all = (messages.byRerun() + messages.byHistory() + messages.byScreen()) / years;
                assertThat(messages.perYear().value()).isEqualTo(all);
                assertThat(messages.good()).isEqualTo(all <= Goals.MESSAGES);
            }
        }
    }

    @Test
    void threads_change_nothing() {
        Simulation one = Simulation.run(7, 2, 1, line -> {});
        assertThat(Simulation.run(7, 2, 3, line -> {})).isEqualTo(one);
        assertThat(Simulation.run(8, 2, 1, line -> {}).played()).isNotEqualTo(one.played());
    }

    /** Of the spikes and the drift the spread is that of what they are added to. */
    @ParameterizedTest
    @EnumSource
    void noise_has_no_mean_and_the_spread_of_one(Noise noise) {
        double sum = 0;
        double squares = 0;
        int count = 200_000;
        for (double value : noise.draw(new Random(3), count)) {
            sum += value;
            squares += value * value;
        }
        double added = noise == Noise.SPIKE ? 0.02 * 8 : 0;
        double variance = noise == Noise.SPIKE ? 1 + 0.02 * 64 : noise == Noise.DRIFT ? 1.5 : 1;
        assertThat(sum / count).isBetween(added - 0.03, added + 0.03);
        assertThat(squares / count).isBetween(variance * 0.9, variance * 1.1);
    }

    @Test
    void command_prints_tables_and_writes_the_counts() throws IOException {
        Path json = folder.resolve("simulation.json");
        Result result = run("--seed=5", "--series=2", "--threads=1", "--json=" + json);
        assertThat(result.code).isZero();
        assertThat(result.out)
                .startsWith("Methodology " + Methodology.VERSION + ", seed 5, 2 series")
                .contains("Slower by 3 sd (7.8 %)");
        for (Noise noise : Noise.values()) {
            assertThat(result.out.lines().filter(line -> line.startsWith(noise.title())))
                    .hasSize(1 + 4 + 4 * 2 + 4 + 3);
        }
        assertThat(result.err).contains("Gaussian");
        Simulation written = JsonMapper.shared().readValue(Files.readAllBytes(json), Simulation.class);
        assertThat(written).isEqualTo(Simulation.run(5, 2, 1, line -> {}));
        assertThat(folder).isDirectoryContaining(file -> file.equals(json)).isDirectoryNotContaining("glob:**.part");
    }

    @Test
    void an_option_that_cannot_be_is_said_before_anything_is_played() {
        assertBad("--series=0", "not a whole number from 1");
        assertBad("--series=many", "not a whole number");
        assertBad("--seed=-1", "not a whole number");
        assertBad("--threads", "Missing required parameter for option '--threads'");
        assertBad("--threads=", "--threads=: not a whole number");
        assertBad("--json=" + folder, "not a file in a folder");
        assertBad("--json=" + folder.resolve("none/s.json"), "not a file in a folder");
        assertBad("--jason=x", "--jason=x is not an option; usage: simulate");
    }

    private static void assertBad(String option, String why) {
        Result result = run(option);
        assertThat(result.code).isEqualTo(2);
        assertThat(result.out).isEmpty();
        assertThat(result.err).contains(why).hasLineCount(1);
    }

    private static RecursiveComparisonConfiguration digestsMayDifferInTheLastBits() {
        return RecursiveComparisonConfiguration.builder()
                .withEqualsForFieldsMatchingRegexes(
                        (Double a, Double b) -> Math.abs(a - b) <= 1e-9 * Math.abs(b), ".*(digest|size)")
                .build();
    }

    private static Result run(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Commands.run(
                Stream.concat(Stream.of("simulate"), Stream.of(arguments)).toList(),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        return new Result(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}
