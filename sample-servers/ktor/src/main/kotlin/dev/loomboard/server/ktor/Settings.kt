package dev.loomboard.server.ktor

/**
 * What the command line says.
 *
 * @param port 0: any free one
 * @param database that workloads ask; a server that is not told of one does not have those
 */
internal data class Settings(val address: String, val port: Int, val database: Database?) {

    /**
     * @param address host:port/name
     * @param connections in the pool, all of them open
     */
    data class Database(
        val address: String,
        val user: String,
        val password: String,
        val connections: Int,
    )

    companion object {
        /** Reads `--name=value`; what is missing or unknown stops the start. */
        fun of(args: List<String>, environment: Map<String, String>): Settings {
            val values =
                args.associateTo(mutableMapOf()) { arg ->
                    require(arg.startsWith("--") && '=' in arg) {
                        "an argument must be --name=value, but is $arg"
                    }
                    arg.removePrefix("--").substringBefore('=') to arg.substringAfter('=')
                }
            fun take(name: String) = requireNotNull(values.remove(name)) { "--$name=… is missing" }
            val settings =
                Settings(
                    take("address"),
                    take("port").toInt(),
                    if ("database" in values) {
                        Database(
                            take("database"),
                            take("database-user"),
                            environment["LOOMBOARD_DATABASE_PASSWORD"].orEmpty(),
                            take("database-connections").toInt(),
                        )
                    } else {
                        null
                    },
                )
            require(values.isEmpty()) { "there is no setting ${values.keys}" }
            return settings
        }
    }
}
