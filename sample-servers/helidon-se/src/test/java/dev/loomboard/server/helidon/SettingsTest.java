package dev.loomboard.server.helidon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** A server must never be measured with a setting that it does not know. */
class SettingsTest {

    @Test
    void unknownSetting_refusesToStart() {
        assertRefused("there is no setting [variant]", "--port=0", "--address=127.0.0.1", "--variant=platform");
    }

    @Test
    void noPort_refusesToStart() {
        assertRefused("--port=… is missing", "--address=127.0.0.1");
    }

    private static void assertRefused(String message, String... args) {
        assertEquals(
                message,
                assertThrows(IllegalArgumentException.class, () -> Settings.of(args))
                        .getMessage());
    }
}
