package dev.loomboard.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.expansion.ExpansionTest;
import dev.loomboard.web.Problem.FieldError;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is left of a matrix where a run measures a part. */
final class MatrixPartTest {

    private static final MatrixSpec SPEC = ExpansionTest.read("""
            {schema: loomboard.matrix/1, name: a, title: a, protocol: a/1, jdks: [25], jdkLimit: 1, trials: {scored: 10},
             servers: [{server: jetty, variants: [platform, virtual]}, {server: vertx, variants: [event-loop, virtual]}],
             phases: {adaptive: {}}, requires: {cores: 2},
             scenarios: [{workload: io, load: {profile: constant, rate: 10, seconds: 5}},
                         {workload: compute, load: {profile: constant, rate: 10, seconds: 5}},
                         {workload: io, load: {profile: constant, rate: 20, seconds: 5}}]}
            """);

    @Test
    void whole_is_all_of_it() {
        MatrixPart whole = new MatrixPart(List.of(), List.of());
        assertThat(whole.lackedBy(SPEC)).isEmpty();
        assertThat(whole.of(SPEC)).isEqualTo(SPEC);
    }

    @Test
    void servers_variants_and_workloads_are_left_with_all_else_as_it_was() {
        MatrixPart part = new MatrixPart(List.of("vertx/virtual", "jetty"), List.of("io"));
        assertThat(part.lackedBy(SPEC)).isEmpty();
        MatrixSpec left = part.of(SPEC);
        assertThat(left.dimensions().servers())
                .containsExactly(
                        new MatrixSpec.Servers("jetty", List.of("platform", "virtual")),
                        new MatrixSpec.Servers("vertx", List.of("virtual")));
        assertThat(left.dimensions().scenarios())
                .extracting(s -> s.workload() + " " + s.load().words())
                .containsExactly("io 10/s for 5 s", "io 20/s for 5 s");
        assertThat(left.with(SPEC.dimensions())).isEqualTo(SPEC);
        assertThat(new MatrixPart(List.of("vertx"), List.of())
                        .of(SPEC)
                        .dimensions()
                        .servers())
                .containsExactly(SPEC.dimensions().servers().getLast());
    }

    @Test
    void what_the_matrix_does_not_have_is_named_with_what_it_has() {
        assertThat(new MatrixPart(List.of("jetty", "vertx/platform"), List.of("sleep")).lackedBy(SPEC))
                .contains(new FieldError(
                        "servers",
                        "must be of the matrix, is: vertx/platform; it has jetty, jetty/platform, jetty/virtual, vertx,"
                                + " vertx/event-loop, vertx/virtual"));
        assertThat(new MatrixPart(List.of(), List.of("sleep")).lackedBy(SPEC))
                .contains(new FieldError("workloads", "must be of the matrix, is: sleep; it has io, compute"));
    }
}
