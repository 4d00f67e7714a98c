package dev.loomboard.server.ktor

import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpRequest.BodyPublishers
import java.net.http.HttpResponse
import java.net.http.HttpResponse.BodyHandlers
import kotlinx.coroutines.runBlocking

/** The server as the agent starts it, but in this JVM and on a free port. */
internal class RunningServer : AutoCloseable {

    private val server =
        embedded(Settings.of(listOf("--port=0", "--address=127.0.0.1"), emptyMap()))
            .start(wait = false)
    private val port = runBlocking { server.engine.resolvedConnectors().first().port }
    private val client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()

    fun send(method: String, pathAndQuery: String): HttpResponse<String> =
        client.send(request(method, pathAndQuery), BodyHandlers.ofString())

    /** So many requests at once. */
    fun post(pathAndQuery: String, requests: Int) {
        repeat(requests) {
            client.sendAsync(request("POST", pathAndQuery), BodyHandlers.ofString())
        }
    }

    private fun request(method: String, pathAndQuery: String) =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:$port$pathAndQuery"))
            .method(method, BodyPublishers.noBody())
            .build()

    override fun close() {
        client.shutdownNow()
        server.stop(gracePeriodMillis = 0, timeoutMillis = 2_000)
    }
}
