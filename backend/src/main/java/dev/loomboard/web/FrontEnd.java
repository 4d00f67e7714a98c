package dev.loomboard.web;

import dev.loomboard.kernel.Digest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/**
 * Addresses of the files of the front end. Each has a name of all of them together in it, which another file or another byte changes: so a
 * browser keeps what it has for as long as it is true, and scripts that import each other by relative addresses are of one version.
 */
public final class FrontEnd {

    /** What their addresses begin with. */
    public static final String FILES = "/files/";

    private static final int BYTES_OF_NAME = 6;

    /** Of all files together. */
    public static final String VERSION = version();

    private FrontEnd() {}

    /** @param path under frontend/static, or frontend/static/vendor as its VERSIONS says, such as {@code js/app.js} */
    public static String file(String path) {
        return FILES + VERSION + "/" + path;
    }

    private static String version() {
        try {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            Arrays.stream(new PathMatchingResourcePatternResolver().getResources("classpath:/static/**/*.*"))
                    .map(FrontEnd::digest)
                    .sorted()
                    .forEach(one -> all.writeBytes(one.getBytes(StandardCharsets.US_ASCII)));
            return HexFormat.of().formatHex(Digest.sha256(all.toByteArray()), 0, BYTES_OF_NAME);
        } catch (IOException e) {
            throw new UncheckedIOException("the files of the front end cannot be read", e);
        }
    }

    private static String digest(Resource file) {
        try {
            return HexFormat.of().formatHex(Digest.sha256(file.getContentAsByteArray())) + " " + file.getFilename();
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read", e);
        }
    }
}
