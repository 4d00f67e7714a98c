package dev.loomboard.about;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** The terms of GLOSSARY.md, read once from the class path: the file holds the only copy of their texts. */
public final class Glossary {

    private static final String FILE = "/META-INF/GLOSSARY.md";
    private static final String ROW = "| **";
    private static final List<Term> TERMS = of(read());

    private Glossary() {}

    /** @param meaning sentences, with code between backticks */
    public record Term(String name, String meaning) {

        /** Its address on the page. */
        public String anchor() {
            return "term-"
                    + name.toLowerCase(Locale.ROOT)
                            .replaceAll("[^a-z0-9]+", "-")
                            .replaceAll("-$", "");
        }
    }

    static List<Term> terms() {
        return TERMS;
    }

    /** The rows of the table of terms: name, meaning, classes. */
    static List<Term> of(String file) {
        return file.lines()
                .filter(line -> line.startsWith(ROW))
                .map(line -> line.split("\\|", -1))
                .map(cells -> new Term(plain(cells[1]), plain(cells[2])))
                .toList();
    }

    /** Without emphasis. */
    private static String plain(String cell) {
        return cell.strip().replace("**", "").replaceAll("\\*(\\w[^*]*)\\*", "$1");
    }

    private static String read() {
        try (InputStream in = Glossary.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new IllegalStateException("the program lacks its file " + FILE);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + FILE, e);
        }
    }
}
