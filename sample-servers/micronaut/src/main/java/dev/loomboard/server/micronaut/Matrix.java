package dev.loomboard.server.micronaut;

import java.util.Random;
import java.util.function.LongSupplier;

/** The CPU work of {@code matmul} and {@code mixed}, as WORKLOADS.md specifies it. */
final class Matrix {

    private Matrix() {}

    /**
     * Multiplies two n × n matrices of longs (overflow wraps) and returns one random cell of the product, so that the
     * compiler can leave none of it out.
     */
    static long randomCellOfProduct(int n, Random random, LongSupplier clock) {
        long[][] left = new long[n][n];
        long[][] right = new long[n][n];
        for (int row = 0; row < n; row++) {
            for (int column = 0; column < n; column++) {
                left[row][column] = row + column;
                right[row][column] = row - column;
            }
        }
        long[][] product = new long[n][n];
        for (int row = 0; row < n; row++) {
            left[row][random.nextInt(n)] = clock.getAsLong();
            multiplyRow(left[row], right, product[row]);
        }
        int row = random.nextInt(n);
        return product[row][random.nextInt(n)];
    }

    private static void multiplyRow(long[] leftRow, long[][] right, long[] productRow) {
        for (int column = 0; column < productRow.length; column++) {
            long sum = 0;
            for (int k = 0; k < leftRow.length; k++) {
                sum += leftRow[k] * right[k][column];
            }
            productRow[column] = sum;
        }
    }
}
