package dev.loomboard.server.ktor

import java.util.stream.Stream
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import org.junit.jupiter.api.TestInstance

/** The server answers every declared check, over a real connection. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
internal class WorkloadsTest {

    private val server = RunningServer()

    @AfterAll fun stop() = server.close()

    @TestFactory
    fun workload_answersItsChecks(): Stream<DynamicTest> =
        Declared.checks().stream().map { check ->
            DynamicTest.dynamicTest(check.pathAndQuery) { assertAnswers(check) }
        }

    @Test
    fun workload_withoutParameters_answers() {
        for (path in listOf("/empty", "/io", "/compute", "/matmul", "/mixed", "/json")) {
            val response = server.send("POST", path)
            assertEquals(200, response.statusCode(), path)
            assertFalse(response.body().isBlank(), path)
        }
    }

    @Test
    fun ready_answersTwoHundred() {
        assertEquals(200, server.send("GET", Declared.readiness()).statusCode())
    }

    @Test
    fun badParameter_isNamedInTheAnswer() {
        val response = server.send("POST", "/io?delayMs=-1")
        assertEquals(400, response.statusCode())
        assertEquals("delayMs must be 0 to 60000, but is -1", response.body())
    }

    private fun assertAnswers(check: Declared.Check) {
        val start = System.nanoTime()
        val response = server.send(check.method, check.pathAndQuery)
        val tookMillis = (System.nanoTime() - start) / 1_000_000

        assertEquals(check.expected["status"], response.statusCode())
        check.expected["body"]?.let { assertEquals(it, response.body()) }
        // A lower bound only: a declared delay is part of the answer, a fast machine is not.
        (check.expected["minMillis"] as Int?)?.let {
            assertTrue(tookMillis >= it, "$tookMillis ms")
        }
    }
}
