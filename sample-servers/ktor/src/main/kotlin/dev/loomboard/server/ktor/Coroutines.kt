package dev.loomboard.server.ktor

import java.util.concurrent.atomic.LongAdder
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.launch

/** Batches that are about what runs a request, here a coroutine. */
internal object Coroutines {

    /** Starts and awaits coroutines, each before the next; the answer is how many of them ran. */
    suspend fun startOneByOne(count: Int): String = coroutineScope {
        val ran = LongAdder()
        repeat(count) { launch { ran.increment() }.join() }
        ran.sum().toString()
    }
}
