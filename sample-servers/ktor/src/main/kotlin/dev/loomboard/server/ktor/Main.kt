package dev.loomboard.server.ktor

import io.ktor.serialization.kotlinx.json.json
import io.ktor.server.application.install
import io.ktor.server.engine.EmbeddedServer
import io.ktor.server.engine.connector
import io.ktor.server.engine.embeddedServer
import io.ktor.server.netty.Netty
import io.ktor.server.netty.NettyApplicationEngine
import io.ktor.server.plugins.contentnegotiation.ContentNegotiation
import io.ktor.server.routing.routing

/** The program: `java -jar ktor.jar --port=8080 --address=127.0.0.1`. */
fun main(args: Array<String>) {
    embedded(Settings.of(args.toList(), System.getenv())).start(wait = true)
}

internal fun embedded(
    settings: Settings
): EmbeddedServer<NettyApplicationEngine, NettyApplicationEngine.Configuration> =
    embeddedServer(
        Netty,
        configure = {
            connector {
                host = settings.address
                port = settings.port
            }
            // The agent waits for the end of a trial: requests in flight get a moment.
            shutdownGracePeriod = 0
            shutdownTimeout = 2_000
        },
    ) {
        install(ContentNegotiation) { json() }
        val database = settings.database?.let(::Database)
        routing {
            workloads()
            database?.let { databaseWorkloads(it) }
        }
    }
