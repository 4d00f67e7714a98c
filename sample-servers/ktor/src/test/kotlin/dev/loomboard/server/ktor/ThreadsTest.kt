package dev.loomboard.server.ktor

import java.util.concurrent.locks.LockSupport
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

/** Requests wait as coroutines and calculate on Kotlin's threads, so they hold no event loop. */
internal class ThreadsTest {

    @Test
    fun coroutines_letOthersPassWhileTheyWait() {
        RunningServer().use { server ->
            server.post("/io?delayMs=60000", REQUESTS)
            repeat(REQUESTS) { // while they arrive, and after
                assertEquals("ok", server.send("POST", "/empty").body())
            }
            assertTrue(Thread.getAllStackTraces().size < REQUESTS)
        }
    }

    @Test
    fun coroutines_calculateOnThreadsOfTheDefaultDispatcher() {
        RunningServer().use { server ->
            server.post("/matmul?size=1000", 1)
            val until = System.nanoTime() + 30_000_000_000
            var threads = threadsIn(Work::class.java.name)
            while (threads.isEmpty() && System.nanoTime() < until) {
                LockSupport.parkNanos(1_000_000)
                threads = threadsIn(Work::class.java.name)
            }
            assertTrue(
                threads.isNotEmpty() && threads.all { it.startsWith("DefaultDispatcher-worker-") },
                "$threads",
            )
        }
    }

    private fun threadsIn(type: String) =
        Thread.getAllStackTraces()
            .filterValues { stack -> stack.any { it.className == type } }
            .keys
            .map { it.name }

    private companion object {
        /** More than any pool of the server has threads. */
        const val REQUESTS = 300
    }
}
