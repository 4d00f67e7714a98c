package dev.loomboard.simulation;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Residuals of real trials, drawn by cells: neighbours stay neighbours (block bootstrap; Künsch, Annals of Statistics 1989). A
 * cell's residuals lack what its mean has, a share of 1/n of the variance, which each drawn cell is given back as a normal shift.
 *
 * <p>The file says what was measured. A row is a cell: metric, cell, then its residuals in order of execution, in units of the
 * spread.
 */
final class MeasuredNoise {

    private static final String FILE = "/methodology/residuals.csv";
    private static final int NAMES = 2;
    private static final List<double[]> CELLS = read();

    private MeasuredNoise() {}

    static double[] draw(Random random, int count) {
        double[] values = new double[count];
        for (int i = 0; i < count; ) {
            double[] cell = CELLS.get(random.nextInt(CELLS.size()));
            double shift = random.nextGaussian() / StrictMath.sqrt(cell.length);
            for (int k = 0; k < cell.length && i < count; k++) {
                values[i++] = cell[k] + shift;
            }
        }
        return values;
    }

    private static List<double[]> read() {
        try (InputStream in = MeasuredNoise.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new IllegalStateException("the program lacks its file " + FILE);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .skip(1)
                    .map(line -> Arrays.stream(line.split(","))
                            .skip(NAMES)
                            .mapToDouble(Double::parseDouble)
                            .toArray())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + FILE, e);
        }
    }
}
