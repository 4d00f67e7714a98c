package dev.loomboard.server.ktor

import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import java.time.Duration
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.addJsonObject
import kotlinx.serialization.json.buildJsonArray
import kotlinx.serialization.json.put

/** A row of the workload `fortunes`. */
internal data class Fortune(val id: Int, val message: String)

/** All rows of a table, one more, sorted: one question to the database a request. */
internal class Fortunes(settings: Settings.Database) {

    private val database = HikariDataSource(config(settings))

    /** JDBC blocks, so it has threads of its own: one for each connection. */
    private val blocking = Dispatchers.IO.limitedParallelism(settings.connections)

    suspend fun select(): JsonArray {
        val rows = withContext(blocking) { read() }
        return buildJsonArray {
            for (fortune in (rows + OWN).sortedBy(Fortune::message)) {
                addJsonObject {
                    put("id", fortune.id)
                    put("message", fortune.message)
                }
            }
        }
    }

    private fun read(): List<Fortune> =
        database.connection.use { connection ->
            connection.prepareStatement("select id, message from fortune").use { select ->
                select.executeQuery().use { result ->
                    buildList {
                        while (result.next()) {
                            add(Fortune(result.getInt(1), result.getString(2)))
                        }
                    }
                }
            }
        }

    private companion object {
        val OWN = Fortune(0, "The one that no database knows")

        fun config(settings: Settings.Database): HikariConfig {
            // A connection that was idle for half a second would else be tried first: a second
            // question, which
            // makes a request at low rates twice as far from its database as one at high rates.
            System.setProperty(
                "com.zaxxer.hikari.aliveBypassWindowMs",
                Duration.ofDays(1).toMillis().toString(),
            )
            return HikariConfig().apply {
                jdbcUrl = "jdbc:postgresql://${settings.address}"
                username = settings.user
                password = settings.password
                maximumPoolSize = settings.connections
            }
        }
    }
}
