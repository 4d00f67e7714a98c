package dev.loomboard.server.ktor

import io.ktor.http.Parameters

/** A parameter that cannot be read or is out of range; the message names it and is the answer. */
internal class BadParameter(override val message: String) : RuntimeException(message)

// What a request may ask for: enough for every matrix file, too little to take the machine down by
// a typing error.

internal fun Parameters.delayMs(absent: Long) = within("delayMs", 0L..60_000L, absent)

internal fun Parameters.size(absent: Int) = within("size", 1L..1_000L, absent.toLong()).toInt()

internal fun Parameters.count() = within("count", 1L..2_000_000L, 100_000).toInt()

/** null: the clock. */
internal fun Parameters.seed() = number("seed")

private fun Parameters.within(name: String, range: LongRange, absent: Long): Long {
    val value = number(name) ?: absent
    if (value !in range) {
        throw BadParameter("$name must be ${range.first} to ${range.last}, but is $value")
    }
    return value
}

private fun Parameters.number(name: String): Long? =
    this[name]?.let { text ->
        text.toLongOrNull() ?: throw BadParameter("$name must be a whole number, but is $text")
    }
