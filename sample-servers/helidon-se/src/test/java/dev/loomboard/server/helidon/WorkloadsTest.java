package dev.loomboard.server.helidon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
@MethodSource("dev.loomboard.server.helidon.Declared#variants")
class WorkloadsTest {

    private static RunningServer server;

    @Parameter
    Declared.Variant variant;

    @BeforeParameterizedClassInvocation
    static void start(Declared.Variant variant) {
        server = RunningServer.start(variant);
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
        for (var path : new String[] {"/empty", "/io", "/compute", "/matmul", "/mixed", "/json"}) {
            var response = server.send("POST", path);
            assertEquals(200, response.statusCode(), path);
            assertFalse(response.body().isBlank(), path);
        }
    }

    @Test
    void ready_answersTwoHundred() throws Exception {
        assertEquals(200, server.send("GET", Declared.readiness()).statusCode());
    }

    @Test
    void badParameter_isNamedInTheAnswer() throws Exception {
        var response = server.send("POST", "/io?delayMs=-1");
        assertEquals(400, response.statusCode());
        assertEquals("delayMs must be 0 to 60000, but is -1", response.body());
    }

    private void assertAnswers(Declared.Check check) throws Exception {
        long start = System.nanoTime();
        var response = server.send(check.method(), check.pathAndQuery());
        long tookMillis = (System.nanoTime() - start) / 1_000_000;

        assertEquals(check.expected().get("status"), response.statusCode());
        if (check.expected().get("body") instanceof String body) {
            assertEquals(body, response.body());
        }
        // A lower bound only: a declared delay is part of the answer, a fast machine is not.
        if (check.expected().get("minMillis") instanceof Integer least) {
            assertTrue(tookMillis >= least, () -> tookMillis + " ms");
        }
    }
}
