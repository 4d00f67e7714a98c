package dev.loomboard.server.ktor

import java.nio.file.Path
import kotlin.io.path.bufferedReader
import org.yaml.snakeyaml.Yaml

/** What server.yaml and workloads.yaml, the files the agent reads, promise about this server. */
internal object Declared {

    private val server = read("server.yaml")
    private val workloads = map(read("../workloads.yaml")["workloads"])

    data class Check(val method: String, val path: String, val expected: Map<String, Any>) {

        val pathAndQuery =
            map(expected["params"]).entries.joinToString("&", prefix = "$path?") { (name, value) ->
                "$name=$value"
            }

        override fun toString() = pathAndQuery
    }

    fun readiness() = map(server["readiness"])["path"] as String

    fun checks(): List<Check> =
        list(server["workloads"])
            .map { name -> map(workloads[name]) }
            // Those that ask a database: `loomboard-agent verify` with LOOMBOARD_DATABASE checks
            // them.
            .filter { workload -> workload["database"] != true }
            .flatMap { workload ->
                list(workload["checks"]).map { check ->
                    Check(workload["method"] as String, workload["path"] as String, map(check))
                }
            }

    private fun read(file: String): Map<String, Any> =
        Path.of(file).bufferedReader().use { Yaml().load(it) }

    @Suppress("UNCHECKED_CAST") private fun map(value: Any?) = value as Map<String, Any>

    private fun list(value: Any?) = value as List<*>
}
