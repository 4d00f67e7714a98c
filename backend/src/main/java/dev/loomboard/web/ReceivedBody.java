package dev.loomboard.web;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * A request's body, all of it and within its limits, as it came over the wire. It is unpacked while it is read, so that its
 * whole text is never held.
 *
 * @param size bytes unpacked
 */
public record ReceivedBody(byte[] packed, boolean gzip, long size) {

    private static final int CHUNK = 64 * 1024;

    public static ReceivedBody plain(byte[] content) {
        return new ReceivedBody(content, false, content.length);
    }

    /** Goes through it once, so that its size is known before anybody makes room for it. */
    public static ReceivedBody gzip(byte[] packed, long most) {
        if (packed.length == 0) {
            return plain(packed);
        }
        try (InputStream unpacked = unpacked(packed)) {
            byte[] chunk = new byte[CHUNK];
            long size = 0;
            for (int read = unpacked.read(chunk); read >= 0; read = unpacked.read(chunk)) {
                size += read;
                if (size > most) {
                    throw tooLarge("bytes unpacked", most);
                }
            }
            return new ReceivedBody(packed, true, size);
        } catch (EOFException e) {
            throw Problem.of(400, "truncated", "Truncated body", "The gzip stream ends before it is complete.")
                    .asException();
        } catch (ZipException e) {
            throw Problem.of(
                            400,
                            "not-gzip",
                            "Not gzip",
                            "The body is said to be gzip but is not: " + e.getMessage() + ".")
                    .asException();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** From its beginning, unpacked. */
    public InputStream open() throws IOException {
        return gzip ? unpacked(packed) : new ByteArrayInputStream(packed);
    }

    public static ProblemException tooLarge(String what, long limit) {
        return Problem.of(413, "too-large", "Too large", "The body must have at most " + limit + " " + what + ".")
                .asException();
    }

    private static InputStream unpacked(byte[] packed) throws IOException {
        return new GZIPInputStream(new ByteArrayInputStream(packed), CHUNK);
    }
}
