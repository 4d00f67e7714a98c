package dev.loomboard.server.ktor

import java.util.Random
import java.util.function.LongSupplier

/**
 * The CPU work of one request. Without a seed it depends on the clock, as E1 asks, so that no
 * compiler can compute it once and for all; with a seed the answer is known and can be verified.
 */
internal object Work {

    /** About a million dependent floating-point steps. */
    fun compute(seed: Long?): String {
        var rand = seed?.toDouble() ?: System.nanoTime().toDouble()
        var result = 0.0
        for (i in 3..999) {
            for (j in 1..999) {
                result += rand / 3
                rand -= j
            }
        }
        return result.toString()
    }

    /**
     * A matrix product; the clock goes into one cell per row, or with a seed the seed plus one per
     * row.
     */
    fun matmul(size: Int, seed: Long?): String {
        if (seed == null) {
            return randomCellOfProduct(size, Random(System.nanoTime()), System::nanoTime).toString()
        }
        var next: Long = seed
        return randomCellOfProduct(size, Random(seed)) { next++ }.toString()
    }

    /**
     * Multiplies two n × n matrices of longs (overflow wraps) and returns one random cell of the
     * product, so that the compiler can leave none of it out.
     */
    private fun randomCellOfProduct(n: Int, random: Random, clock: LongSupplier): Long {
        val left = Array(n) { row -> LongArray(n) { column -> (row + column).toLong() } }
        val right = Array(n) { row -> LongArray(n) { column -> (row - column).toLong() } }
        val product = Array(n) { LongArray(n) }
        for (row in 0 until n) {
            left[row][random.nextInt(n)] = clock.asLong
            multiplyRow(left[row], right, product[row])
        }
        val row = random.nextInt(n)
        return product[row][random.nextInt(n)]
    }

    private fun multiplyRow(leftRow: LongArray, right: Array<LongArray>, productRow: LongArray) {
        for (column in productRow.indices) {
            var sum = 0L
            for (k in leftRow.indices) {
                sum += leftRow[k] * right[k][column]
            }
            productRow[column] = sum
        }
    }
}
