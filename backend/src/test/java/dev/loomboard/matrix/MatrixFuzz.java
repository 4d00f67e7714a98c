package dev.loomboard.matrix;

import java.nio.charset.StandardCharsets;

/** Whatever is pasted as a matrix is refused with the fields that are wrong, or keeps its own rules. */
public final class MatrixFuzz {

    private MatrixFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        switch (MatrixReader.read(new String(input, StandardCharsets.UTF_8))) {
            case MatrixReader.Read read -> {
                if (!MatrixRules.problems(read.spec()).isEmpty()) {
                    throw new AssertionError("taken with " + MatrixRules.problems(read.spec()));
                }
            }
            case MatrixReader.Refused refused -> {
                if (refused.problems().isEmpty()) {
                    throw new AssertionError("refused without a field");
                }
            }
        }
    }
}
