package dev.loomboard.generate;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A file of SQL in parts, each under a line {@code --# what it makes}. */
record SqlScript(List<Part> parts) {

    private static final String MARK = "--# ";

    SqlScript {
        parts = List.copyOf(parts);
    }

    /** @param sql one statement or several */
    record Part(String title, String sql) {}

    static SqlScript read(String file) {
        List<Part> parts = new ArrayList<>();
        for (String section : text(file).split("(?m)^" + MARK, -1)) {
            int end = section.indexOf('\n');
            if (end > 0) {
                parts.add(new Part(section.substring(0, end), section.substring(end)));
            }
        }
        return new SqlScript(parts);
    }

    static String text(String file) {
        try (InputStream in = SqlScript.class.getResourceAsStream("/fill/" + file)) {
            if (in == null) {
                throw new IllegalStateException("the program lacks its file fill/" + file);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read fill/" + file, e);
        }
    }
}
