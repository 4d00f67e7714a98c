package dev.loomboard.server.ktor

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Test

/** A server must never be measured with a setting that it does not know. */
internal class SettingsTest {

    @Test
    fun whatIsWrong_refusesToStart() {
        assertRefused(
            "there is no setting [variant]",
            "--port=0",
            "--address=127.0.0.1",
            "--variant=platform",
        )
        assertRefused("--port=… is missing", "--address=127.0.0.1")
        assertRefused("an argument must be --name=value, but is --port", "--port")
    }

    private fun assertRefused(message: String, vararg args: String) {
        val refusal =
            assertThrows(IllegalArgumentException::class.java) {
                Settings.of(args.toList(), emptyMap())
            }
        assertEquals(message, refusal.message)
    }
}
