package dev.loomboard.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.loomboard.cli.Commands;
import dev.loomboard.stats.Scale;
import dev.loomboard.stats.paired.Block;
import dev.loomboard.stats.paired.Effect;
import dev.loomboard.stats.paired.KolmogorovSmirnov;
import dev.loomboard.stats.paired.Verdict;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AaComparisonsTest {

    private static final int MANY = 400;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    void equal_homes_have_even_p_and_hardly_a_false_verdict() {
        AaComparisons found = AaComparisons.of(comparisons(0));
        assertThat(found.comparisons()).isEqualTo(MANY);
        assertThat(Objects.requireNonNull(found.wrong()).value()).isLessThan(0.03);
        assertThat(Objects.requireNonNull(found.p()).p()).isGreaterThan(0.01);
    }

    /** What a shuffle of all trials could never show: something that is always on the side of one home, as its path is. */
    @Test
    void what_one_home_always_costs_shows_in_the_spread_of_p_before_it_shows_in_verdicts() {
        AaComparisons found = AaComparisons.of(comparisons(0.02));
        assertThat(Objects.requireNonNull(found.p()).p()).isLessThan(1e-6);
    }

    /** Of homes that never fail each p is 1, which is no sign of anything. */
    @Test
    void sides_that_do_not_differ_at_all_have_no_spread_of_p() {
        AaComparisons found = AaComparisons.of(List.of(
                new AaComparisons.One(Verdict.EQUIVALENT, 1.0), new AaComparisons.One(Verdict.FAILS_MORE, 1e-5)));
        assertThat(found.p()).isNull();
        assertThat(Objects.requireNonNull(found.wrong()).value()).isEqualTo(0.5);
    }

    @Test
    void distance_is_that_of_the_step_function() {
        assertThat(KolmogorovSmirnov.even(new double[] {0.5}).distance()).isEqualTo(0.5);
        KolmogorovSmirnov low = KolmogorovSmirnov.even(new double[] {0.01, 0.02, 0.03, 0.04, 0.05});
        assertThat(low.distance()).isCloseTo(0.95, within(1e-12));
        assertThat(low.p()).isLessThan(1e-3);
        double[] even =
                IntStream.range(0, 100).mapToDouble(i -> (i + 0.5) / 100).toArray();
        assertThat(KolmogorovSmirnov.even(even).p()).isEqualTo(1);
        // D = 1.36 ÷ √n is the table's 5 % point of large samples.
        double[] shifted = IntStream.range(0, 10_000)
                .mapToDouble(i -> Math.min(1, (i + 0.5) / 10_000 + 0.0136))
                .toArray();
        assertThat(KolmogorovSmirnov.even(shifted).p()).isCloseTo(0.05, within(0.003));
        assertThatThrownBy(() -> KolmogorovSmirnov.even(new double[] {1.5})).hasMessageContaining("from 0 to 1");
    }

    @Test
    void command_counts_the_comparisons_of_all_files() throws IOException {
        String test = """
                {"metric": "cpu_us_per_request", "outcome": {"verdict": %s, "p": %s, "blocks": 5}}""";
        Path one = file("one.json", test.formatted("\"equivalent\"", "0.4"), test.formatted("\"slower\"", "0.0001"));
        Path two = file("two.json", test.formatted("null", "null"));
        Result result = run(one.toString(), two.toString());
        Path both = folder.resolve("both.jsonl");
        Files.writeString(both, Files.readString(one) + "\n" + Files.readString(two) + "\n");
        assertThat(run(both.toString()).out).as("runs one after another").isEqualTo(result.out);
        assertThat(result.code).isZero();
        assertThat(result.out)
                .contains("CPU per request: 3 comparisons, 1 without a verdict; slower 1, equivalent 1")
                .contains("false 50.00 % (95 %: 1.26 to 98.74 %)", "D = ");
    }

    @Test
    void file_that_is_none_is_refused_in_a_line() throws IOException {
        assertThat(run().code).isEqualTo(2);
        assertThat(run(folder.resolve("none").toString()).err).contains("there is no file");
        Path other = folder.resolve("other.json");
        Files.writeString(other, "{\"schema\": \"loomboard.run/1\", \"families\": []}");
        assertThat(run(other.toString()).err).contains("is not loomboard.run-verdicts/1");
        assertThat(run(file("empty.json").toString()).err).contains("compares no two builds");
    }

    private record Result(int code, String out, String err) {}

    private Path file(String name, String... tests) throws IOException {
        Path file = folder.resolve(name);
        Files.writeString(
                file,
                "{\"schema\": \"loomboard.run-verdicts/1\", \"families\": [{\"axis\": \"JDK\", \"tests\": ["
                        + String.join(", ", tests) + "]}]}");
        return file;
    }

    private static Result run(String... files) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Commands.run(
                Stream.concat(Stream.of("aa"), Stream.of(files)).toList(),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        return new Result(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /**
     * Five blocks each.
     *
     * @param more that the second home always costs, a share
     */
    private static List<AaComparisons.One> comparisons(double more) {
        Random random = new Random(3);
        List<AaComparisons.One> all = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            List<Block> blocks = new ArrayList<>();
            for (int b = 0; b < 5; b++) {
                blocks.add(new Block(
                        Math.exp(0.02 * random.nextGaussian()), (1 + more) * Math.exp(0.02 * random.nextGaussian())));
            }
            double p = Effect.of(Scale.LN, blocks).orElseThrow().p();
            all.add(new AaComparisons.One(p < 0.01 ? Verdict.SLOWER : Verdict.INCONCLUSIVE, p));
        }
        return all;
    }
}
