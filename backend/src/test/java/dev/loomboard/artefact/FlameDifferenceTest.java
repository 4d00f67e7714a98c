package dev.loomboard.artefact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Two sides' stacks laid over each other. */
final class FlameDifferenceTest {

    private static FlameDifference between(String baseline, String candidate) {
        return FlameDifference.of(
                baseline.getBytes(StandardCharsets.UTF_8), candidate.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void shares_are_of_each_sides_own_samples_and_the_greatest_difference_comes_first() {
        FlameDifference d = between("run;work 600\nrun;wait 400\n", "run;work 1180\nrun;wait 600\nrun;log 220\n");
        assertThat(d.baseline()).isEqualTo(1000);
        assertThat(d.candidate()).isEqualTo(2000);
        assertThat(d.methods())
                .extracting(
                        FlameDifference.Method::name,
                        FlameDifference.Method::share,
                        FlameDifference.Method::candidateShare,
                        FlameDifference.Method::beyondError)
                .containsExactly(
                        tuple("log", 0.0, 0.11, true), tuple("wait", 0.4, 0.3, true), tuple("work", 0.6, 0.59, false));
        assertThat(d.boxes())
                .extracting(FlameDifference.Box::depth, FlameDifference.Box::name, FlameDifference.Box::mark)
                .containsExactly(
                        tuple(0, "all", 0),
                        tuple(1, "run", 0),
                        tuple(2, "log", 3),
                        tuple(2, "wait", -3),
                        tuple(2, "work", 0));
    }

    @Test
    void own_samples_are_those_on_top_of_a_stack_wherever_it_stands() {
        FlameDifference d = between("a;b 3\nb 2\na;b;c 5\n", "a;b 3\nb 2\na;b;c 5\n");
        assertThat(d.methods())
                .extracting(FlameDifference.Method::name, FlameDifference.Method::baseline)
                .containsExactly(tuple("b", 5L), tuple("c", 5L));
        assertThat(d.boxes())
                .extracting(FlameDifference.Box::name, FlameDifference.Box::baseline)
                .containsExactly(tuple("all", 10L), tuple("a", 8L), tuple("b", 8L), tuple("c", 5L), tuple("b", 2L));
    }

    @Test
    void few_samples_leave_every_difference_within_error() {
        FlameDifference d = between("a 3\nb 1\n", "a 1\nb 3\n");
        assertThat(d.beyondError()).isZero();
        assertThat(d.boxes()).extracting(FlameDifference.Box::mark).containsOnly(0);
        assertThat(d.methods()).allSatisfy(m -> assertThat(m.low()).isNegative());
    }

    @Test
    void rare_frames_are_left_out_of_the_graph_but_not_of_the_methods() {
        FlameDifference d = between("a 9999\nrare 1\n", "a 10000\n");
        assertThat(d.methods()).extracting(FlameDifference.Method::name).contains("rare");
        assertThat(d.boxes()).extracting(FlameDifference.Box::name).containsExactly("all", "a");
    }

    /** What an upload may hold: as deep as a line can be, counts beyond a long's sum, more frames than are kept. */
    @Test
    void hostile_stacks_are_cut_and_counted() {
        String deep = IntStream.range(0, 100_000).mapToObj(i -> "f" + i).collect(Collectors.joining(";"));
        FlameDifference d = between(
                deep + " 1\n" + "x 900000000000000000\n".repeat(20),
                IntStream.range(0, 300_000).mapToObj(i -> "g" + i + " 1").collect(Collectors.joining("\n")));
        assertThat(d.candidate()).isEqualTo(300_000);
        assertThat(d.methods()).hasSize(300_002);
        assertThat(d.largest()).hasSize(25);
        assertThat(d.largest().getFirst().name()).isEqualTo("x");
        assertThat(d.largest().getFirst().candidateShare()).isZero();
        assertThat(d.boxes().size()).isLessThan(10);
    }
}
