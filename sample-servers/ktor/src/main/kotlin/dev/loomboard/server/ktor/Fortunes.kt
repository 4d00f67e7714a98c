package dev.loomboard.server.ktor

import java.sql.Connection
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.addJsonObject
import kotlinx.serialization.json.buildJsonArray
import kotlinx.serialization.json.put

/** A row of the workload `fortunes`. */
internal data class Fortune(val id: Int, val message: String)

/** All rows of a table, one more, sorted: one question to the database a request. */
internal class Fortunes(private val database: Database) {

    suspend fun select(): JsonArray {
        val rows = database.ask(::read)
        return buildJsonArray {
            for (fortune in (rows + OWN).sortedBy(Fortune::message)) {
                addJsonObject {
                    put("id", fortune.id)
                    put("message", fortune.message)
                }
            }
        }
    }

    private fun read(connection: Connection): List<Fortune> =
        connection.prepareStatement("select id, message from fortune").use { select ->
            select.executeQuery().use { result ->
                buildList {
                    while (result.next()) {
                        add(Fortune(result.getInt(1), result.getString(2)))
                    }
                }
            }
        }

    private companion object {
        val OWN = Fortune(0, "The one that no database knows")
    }
}
