package dev.loomboard.server.ktor

import io.ktor.http.HttpStatusCode
import io.ktor.http.Parameters
import io.ktor.server.application.ApplicationCall
import io.ktor.server.request.receive
import io.ktor.server.response.respond
import io.ktor.server.response.respondText
import io.ktor.server.routing.Route
import io.ktor.server.routing.RoutingCall
import io.ktor.server.routing.delete
import io.ktor.server.routing.get
import io.ktor.server.routing.post
import io.ktor.server.routing.put
import io.ktor.server.routing.route
import io.ktor.server.util.getOrFail
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.delay
import kotlinx.coroutines.withContext
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put

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
    post("/json") { call.respond(buildJsonObject { put("message", "Hello, World!") }) }
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

/** The workloads that ask a database. */
internal fun Route.databaseWorkloads(database: Database) {
    val fortunes = Fortunes(database)
    post("/fortunes") { call.respond(fortunes.select()) }
    workload("/sql-sleep") {
        database.sleep(it.delayMs(100))
        OK
    }
    todo(Todos(database))
}

private fun Route.todo(todos: Todos) =
    route("/todo") {
        get {
            val from =
                call.queryParameters["from"]?.let { call.queryParameters.getOrFail<Int>("from") }
                    ?: 1
            call.respond(JsonArray(todos.list(from).map(Todo::json)))
        }
        post {
            val todo = Todo(call.receive<JsonObject>())
            todos.write(todo)
            call.respond(HttpStatusCode.Created, todo.json())
        }
        get("/{id}") { call.respondRow(todos.find(call.id())) }
        put("/{id}") {
            val todo = Todo(call.receive<JsonObject>()).copy(id = call.id())
            call.respondRow(todo.takeIf { todos.change(it) })
        }
        delete("/{id}") {
            todos.remove(call.id())
            call.respond(HttpStatusCode.NoContent)
        }
    }

private fun RoutingCall.id(): Int = pathParameters.getOrFail<Int>("id")

private suspend fun ApplicationCall.respondRow(todo: Todo?) =
    if (todo == null) respond(HttpStatusCode.NotFound) else respond(todo.json())

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
