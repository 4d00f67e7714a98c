package dev.loomboard.server.micronaut;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** A server must never be measured under a variant's name that it does not run, or with a setting that it does not know. */
class SettingsTest {

    @Test
    void whatIsWrong_refusesToStart() {
        assertRefused("--variant must be one of platform, virtual, but is virtuell", "--variant=virtuell");
        assertRefused("--variant=… is missing", "--port=0");
        assertRefused("--port=… is missing", "--variant=virtual", "--address=127.0.0.1");
        assertRefused("there is no setting [x]", "--variant=virtual", "--address=127.0.0.1", "--port=0", "--x=y");
        assertRefused("an argument must be --name=value, but is virtual", "virtual");
    }

    private static void assertRefused(String message, String... args) {
        assertEquals(
                message,
                assertThrows(IllegalArgumentException.class, () -> Settings.of(args))
                        .getMessage());
    }
}
