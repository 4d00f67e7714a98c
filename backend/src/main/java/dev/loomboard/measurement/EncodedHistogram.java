package dev.loomboard.measurement;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A histogram of nanoseconds as it is sent and stored: HDR V2 compressed, base64. What says it has more digits, a wider
 * range or more content than the contract allows is refused before the library makes room for it.
 *
 * @param text base64, with padding
 */
public record EncodedHistogram(@JsonValue String text) {

    /** 5 minutes, in ns: longer times are entered as this. */
    public static final long HIGHEST = 300_000_000_000L;

    public static final int DIGITS = 3;

    private static final int LONGEST_TEXT = 400_000;
    private static final int COOKIE_BASE = 0xffffff0f;
    private static final int COMPRESSED_V2 = 0x1c849304;
    private static final int V2 = 0x1c849303;
    private static final int HEADER = 40;
    private static final int USUALLY_UNPACKED = 8192;
    /** Of 1 ns to 5 min with 3 digits, each at most 9 bytes. */
    private static final int MOST_UNPACKED = HEADER + 9 * 30_720;

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public EncodedHistogram(String text) {
        byte[] packed = packed(text);
        this.text = Base64.getEncoder().encodeToString(packed);
        hits(unpacked(packed)); // refuses what is none
    }

    public Histogram histogram() {
        return Histogram.decodeFromByteBuffer(unpacked(packed(text)), HIGHEST);
    }

    /** How many it counts. */
    long hits() {
        return hits(unpacked(packed(text)));
    }

    private static long hits(ByteBuffer unpacked) {
        long highest = checkedHeader(unpacked);
        return EncodedCounts.hits(unpacked, highest);
    }

    /** All hits, each failure slower than any answer: a quick one is no speed. */
    static Histogram failuresLast(EncodedHistogram answered, @Nullable EncodedHistogram failed) {
        Histogram all = answered.histogram();
        if (failed != null) {
            all.recordValueWithCount(HIGHEST, failed.hits());
        }
        return all;
    }

    private static byte[] packed(@Nullable String text) {
        if (text == null) {
            throw refused("it is missing");
        }
        if (text.length() > LONGEST_TEXT) {
            throw refused("it has more than " + LONGEST_TEXT + " characters");
        }
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw refused("it is not base64");
        }
    }

    private static ByteBuffer unpacked(byte[] bytes) {
        ByteBuffer packed = ByteBuffer.wrap(bytes);
        if (packed.remaining() < 8 || (packed.getInt() & COOKIE_BASE) != COMPRESSED_V2) {
            throw refused("it does not begin as one");
        }
        if (packed.getInt() != packed.remaining()) {
            throw refused("its length is not what it says");
        }
        byte[] out = new byte[USUALLY_UNPACKED];
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(packed);
            int length = inflater.inflate(out);
            if (length == out.length) {
                out = Arrays.copyOf(out, MOST_UNPACKED + 1);
                length += inflater.inflate(out, length, out.length - length);
            }
            if (length > MOST_UNPACKED) {
                throw refused("it unpacks to more than one of 1 ns to 5 min with 3 digits can have");
            }
            if (!inflater.finished() || packed.hasRemaining()) {
                throw refused("its compressed content is cut off or followed by more");
            }
            return ByteBuffer.wrap(out, 0, length);
        } catch (DataFormatException e) {
            throw refused("its compressed content is damaged");
        } finally {
            inflater.end();
        }
    }

    /** Gives the highest value that it has room for; leaves the buffer at the counts. */
    private static long checkedHeader(ByteBuffer unpacked) {
        if (unpacked.remaining() < HEADER || (unpacked.getInt() & COOKIE_BASE) != V2) {
            throw refused("its content is of another version");
        }
        int payload = unpacked.getInt();
        int offset = unpacked.getInt();
        int digits = unpacked.getInt();
        long lowest = unpacked.getLong();
        long highest = unpacked.getLong();
        double ratio = unpacked.getDouble();
        if (digits != DIGITS) {
            throw refused("it must have " + DIGITS + " significant digits, has " + digits);
        }
        if (lowest != 1 || highest < 2 || highest > HIGHEST) {
            throw refused(
                    "its range must be from 1 to at most " + HIGHEST + " ns, is from " + lowest + " to " + highest);
        }
        if (payload != unpacked.remaining() || offset != 0 || ratio != 1.0) {
            throw refused("its header does not fit its content");
        }
        return highest;
    }

    static Refusal refused(String why) {
        return new Refusal("is not an HDR histogram in V2 compressed encoding: " + why);
    }

    /** The message stands for itself: the field is where the histogram was. */
    public static final class Refusal extends IllegalArgumentException {
        public Refusal(String message) {
            super(message);
        }
    }
}
