package dev.loomboard.server.ktor

import io.ktor.http.HttpStatusCode
import io.ktor.http.Parameters
import io.ktor.server.response.respond
import io.ktor.server.response.respondText
import io.ktor.server.routing.Route
import io.ktor.server.routing.get
import io.ktor.server.routing.post
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.delay
import kotlinx.coroutines.withContext

private const val OK = "ok"

/**
 * Each request is a coroutine on the engine's event loops, which none of them holds: calculations
 * go elsewhere, delays suspend.
 */
internal fun Route.workloads() {
    get("/ready") { call.respondText("ready") }
    workload("/empty") { OK }
    workload("/io") {
        delay(it.delayMs(100))
        OK
    }
    workload("/compute") {
        val seed = it.seed()
        calculated { Work.compute(seed) }
    }
    workload("/matmul") { multiplyThenDelay(it.size(200), it.delayMs(25), it.seed()) }
    workload("/mixed") { multiplyThenDelay(it.size(150), it.delayMs(100), it.seed()) }
    workload("/thread-start") {
        val count = it.count()
        calculated { Coroutines.startOneByOne(count) }
    }
}

internal fun Route.fortunes(fortunes: Fortunes) {
    post("/fortunes") { call.respond(fortunes.select()) }
}

private fun Route.workload(path: String, answer: suspend (Parameters) -> String) {
    post(path) {
        try {
            call.respondText(answer(call.queryParameters))
        } catch (bad: BadParameter) {
            call.respondText(bad.message, status = HttpStatusCode.BadRequest)
        }
    }
}

private suspend fun multiplyThenDelay(size: Int, delayMs: Long, seed: Long?): String {
    val cell = calculated { Work.matmul(size, seed) }
    delay(delayMs)
    return cell
}

/** On as many threads as there are processors, which Kotlin keeps for work that does not wait. */
private suspend fun calculated(work: suspend () -> String): String =
    withContext(Dispatchers.Default) { work() }
