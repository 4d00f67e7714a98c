package dev.loomboard.server.ktor

import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import java.sql.Connection
import java.time.Duration
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext

/** What workloads ask, by a pool of connections. */
internal class Database(settings: Settings.Database) {

    private val pool = HikariDataSource(config(settings))

    /** JDBC blocks, so it has threads of its own: one for each connection. */
    private val blocking = Dispatchers.IO.limitedParallelism(settings.connections)

    suspend fun <T> ask(question: (Connection) -> T): T =
        withContext(blocking) { pool.connection.use(question) }

    /** Has the database wait, and a connection of the pool with it. */
    suspend fun sleep(delayMs: Long) = ask { connection ->
        connection.prepareStatement("select pg_sleep(?)").use { sleep ->
            sleep.setDouble(1, delayMs / 1_000.0)
            sleep.execute()
        }
    }

    private companion object {
        fun config(settings: Settings.Database): HikariConfig {
            // A connection that was idle for half a second would else be tried first: a second
            // question, which makes a request at low rates twice as far from its database as one at
            // high rates.
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
