package dev.loomboard.server.micronaut;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each variant runs requests on the threads its name promises. */
class ThreadsTest {

    @ParameterizedTest
    @CsvSource({"platform, false", "virtual, true"})
    void variant_givesEachRequestAThreadOfItsKind(String variant, boolean virtual) throws Exception {
        try (var server = RunningServer.start(Declared.variant(variant))) {
            var probe = server.context().getBean(Probe.class);
            var answers = server.post("/probe", Probe.REQUESTS);
            assertTrue(probe.arriving.await(30, TimeUnit.SECONDS));

            assertEquals(Probe.REQUESTS, probe.threads.size());
            assertTrue(probe.threads.stream().allMatch(thread -> thread.isVirtual() == virtual));
            probe.released.countDown();
            answers.join();
        }
    }
}
