package dev.loomboard.server.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** A server must never be measured under a variant's name that it does not run. */
class SettingsTest {

    @Test
    void unknownVariant_refusesToStart() {
        assertRefused("variant must be one of platform, virtual, but is platfrom", "--variant=platfrom");
    }

    @Test
    void noVariant_refusesToStart() {
        assertRefused("--variant=… is missing");
    }

    @Test
    void unknownSetting_refusesToStart() {
        assertRefused("there is no setting [threads]", "--variant=virtual", "--threads=64");
    }

    private static void assertRefused(String message, String... more) {
        String[] args = new String[more.length + 2];
        args[0] = "--port=0";
        args[1] = "--address=127.0.0.1";
        System.arraycopy(more, 0, args, 2, more.length);
        assertEquals(
                message,
                assertThrows(IllegalArgumentException.class, () -> Settings.of(args))
                        .getMessage());
    }
}
