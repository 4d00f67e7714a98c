package dev.loomboard.server.mvc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Every declared variant answers every declared check, over a real connection. */
@ParameterizedClass
@MethodSource("dev.loomboard.server.mvc.Declared#variants")
class WorkloadsTest {

    private static RunningServer server;

    @Parameter
    Declared.Variant variant;

    @BeforeParameterizedClassInvocation
    static void start(Declared.Variant variant) {
        server = RunningServer.start(variant.args());
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        server.close();
    }

    @TestFactory
    Stream<DynamicTest> workload_answersItsChecks() {
        return Declared.checks().stream()
                .map(check -> DynamicTest.dynamicTest(check.pathAndQuery(), () -> assertAnswers(check)));
    }

    @Test
    void workload_withoutParameters_answers() throws Exception {
        for (var path : new String[] {"/empty", "/io", "/compute", "/matmul", "/mixed", "/json", "/thread-start"}) {
            var response = server.send("POST", path);
            assertThat(response.statusCode()).as(path).isEqualTo(200);
            assertThat(response.body()).as(path).isNotBlank();
        }
    }

    @Test
    void ready_answersTwoHundred() throws Exception {
        assertThat(server.send("GET", Declared.endpoint("readiness")).statusCode())
                .isEqualTo(200);
    }

    @Test
    void gc_collects() throws Exception {
        long before = Collections.count();
        assertThat(server.send("POST", Declared.endpoint("gc")).statusCode()).isEqualTo(200);
        assertThat(Collections.count()).isGreaterThan(before);
    }

    @Test
    void badParameter_isNamedInTheAnswer() throws Exception {
        var response = server.send("POST", "/io?delayMs=-1");
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body()).contains("delayMs must be 0 to 60000, but is -1");
    }

    private void assertAnswers(Declared.Check check) throws Exception {
        long start = System.nanoTime();
        var response = server.send(check.method(), check.pathAndQuery());
        long tookMillis = (System.nanoTime() - start) / 1_000_000;

        assertThat(response.statusCode()).isEqualTo(check.expected().get("status"));
        if (check.expected().get("body") instanceof String body) {
            assertThat(response.body()).isEqualTo(body);
        }
        // A lower bound only: a declared delay is part of the answer, a fast machine is not.
        if (check.expected().get("minMillis") instanceof Integer least) {
            assertThat(tookMillis).isGreaterThanOrEqualTo(least.longValue());
        }
    }
}
