package dev.loomboard.measurement;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.Deflater;
import org.HdrHistogram.Histogram;

/**
 * Whatever is sent as a histogram is refused for a stated reason, or counts what it says. The bytes are what is compressed:
 * what is outside, a batch has; and the first of them decides whether the lengths around it are right.
 */
public final class HistogramFuzz {

    private HistogramFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        byte[] inner = Arrays.copyOfRange(input, 1, input.length);
        if (input[0] % 2 == 0 && inner.length >= 8) {
            ByteBuffer.wrap(inner).putInt(0, 0x1c849313).putInt(4, inner.length - 40);
        }
        try {
            Histogram histogram = new EncodedHistogram(Base64.getEncoder().encodeToString(packed(inner))).histogram();
            if (histogram.getTotalCount() < 0
                    || histogram.getMaxValue() > histogram.highestEquivalentValue(EncodedHistogram.HIGHEST)) {
                throw new AssertionError("counts " + histogram.getTotalCount() + " to " + histogram.getMaxValue());
            }
        } catch (EncodedHistogram.Refusal e) {
            if (e.getMessage() == null) {
                throw new AssertionError("refused without a reason", e);
            }
        }
    }

    private static byte[] packed(byte[] inner) {
        Deflater deflater = new Deflater(Deflater.BEST_SPEED);
        try {
            deflater.setInput(inner);
            deflater.finish();
            byte[] out = new byte[inner.length + 64];
            int length = deflater.deflate(out);
            return ByteBuffer.allocate(8 + length)
                    .putInt(0x1c849314)
                    .putInt(length)
                    .put(out, 0, length)
                    .array();
        } finally {
            deflater.end();
        }
    }
}
