package dev.loomboard.server.quarkus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** A server must never be measured under a variant's name that it does not run, or with a setting that it does not know. */
class SettingsTest {

    @Test
    void settings_arePropertiesOfQuarkus() {
        assertEquals(
                Map.of(
                        "loomboard.virtual", "on",
                        "quarkus.http.port", "8080",
                        "quarkus.datasource.reactive.url", "postgresql://localhost:5432/test"),
                Settings.of("--variant=virtual", "--port=8080", "--database=localhost:5432/test"));
    }

    @Test
    void whatIsWrong_refusesToStart() {
        assertRefused("--variant must be one of blocking, virtual, reactive, but is virtuell", "--variant=virtuell");
        assertRefused("--variant=… is missing", "--port=0");
        assertRefused("there is no setting varaint", "--varaint=virtual");
        assertRefused("an argument must be --name=value, but is virtual", "virtual");
    }

    private static void assertRefused(String message, String... args) {
        assertEquals(
                message,
                assertThrows(IllegalArgumentException.class, () -> Settings.of(args))
                        .getMessage());
    }
}
