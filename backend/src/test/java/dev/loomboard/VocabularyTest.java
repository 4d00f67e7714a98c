package dev.loomboard;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One word, one meaning: GLOSSARY.md has the words, and the classes keep to it. */
final class VocabularyTest {

    private static final Path GLOSSARY = Path.of("../GLOSSARY.md");
    private static final Path MAIN = Path.of("src/main/java/dev/loomboard");
    private static final Path TEMPLATES = Path.of("../frontend/templates");

    /** The words that the design fixes, under the names that the glossary has for them. */
    private static final List<String> DESIGN = List.of(
            "workload",
            "load profile",
            "scenario",
            "server",
            "variant",
            "concurrency model",
            "JDK build",
            "feature release",
            "matrix",
            "cell",
            "run",
            "trial",
            "scored",
            "diagnostic",
            "step",
            "hit",
            "sample",
            "metric",
            "service time",
            "response time",
            "response excess",
            "machine",
            "agent",
            "host fingerprint",
            "machine class",
            "assignment",
            "series",
            "JDK track",
            "series family",
            "JDK build identity",
            "build lineage",
            "comparison",
            "verdict",
            "block",
            "change point",
            "regression",
            "control cell");

    private static final Pattern NOT_CODE =
            Pattern.compile("/\\*.*?\\*/|//[^\n]*|\"\"\".*?\"\"\"|\"(?:[^\"\\\\\n]|\\\\.)*\"", Pattern.DOTALL);
    private static final Pattern TYPE = Pattern.compile("\\b(?:class|enum|interface|record)\\s+([A-Z]\\w*)");

    /** Packages by the simple name of their top-level class. */
    private static final Map<String, SortedSet<String>> CLASSES = classes();

    /** Top-level classes, nested types as {@code Outer.Inner}, and templates as {@code folder/file.jte}. */
    private static final List<String> NAMES = Stream.of(CLASSES.keySet().stream(), nested(), templates())
            .flatMap(names -> names)
            .toList();

    private record Term(String name, String meaning, List<String> classes) {}

    private record Word(String word, String meaning, List<String> classes) {}

    @Test
    void no_two_classes_share_a_name() {
        Map<String, SortedSet<String>> shared = new TreeMap<>(CLASSES);
        shared.values().removeIf(packages -> packages.size() == 1);
        assertThat(shared)
                .as("classes of one name in several packages: give one of them a name that says what sets it apart")
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("words")
    void word_keeps_its_one_meaning(Word word) {
        List<String> used =
                NAMES.stream().filter(name -> has(name, word.word())).toList();
        assertThat(used)
                .as(
                        "classes, nested types and templates with the word %s, which means: %s. What has another meaning"
                                + " needs another word; what has this meaning is added to the table in GLOSSARY.md",
                        word.word(), word.meaning())
                .isSubsetOf(word.classes());
    }

    @Test
    void each_term_is_explained_once() {
        List<Term> terms = terms();
        assertThat(terms).hasSizeGreaterThan(30);
        assertThat(terms)
                .extracting(Term::name)
                .as("terms of GLOSSARY.md: join the rows of a term that stands there twice")
                .doesNotHaveDuplicates();
        assertThat(terms)
                .allSatisfy(term -> assertThat(term.meaning())
                        .as("the meaning of %s in GLOSSARY.md", term.name())
                        .isNotBlank());
    }

    @Test
    void words_of_the_design_are_explained() {
        assertThat(terms()).extracting(Term::name).as("terms of GLOSSARY.md").containsAll(DESIGN);
    }

    @Test
    void what_the_table_of_words_lists_exists() {
        assertThat(words())
                .allSatisfy(word -> assertThat(NAMES)
                        .as("GLOSSARY.md lists for the word %s what is no longer there", word.word())
                        .containsAll(word.classes()));
    }

    @Test
    void classes_that_the_glossary_names_exist() {
        assertThat(terms())
                .allSatisfy(term -> assertThat(term.classes())
                        .as(
                                "classes of the term %s: name the class that stands for it now, as package.Class",
                                term.name())
                        .allMatch(name -> Files.exists(MAIN.resolve(name.replace('.', '/') + ".java"))));
    }

    static List<Word> words() {
        return rows("## Words in class names", "| ")
                .map(row -> new Word(row.get(0), row.get(1), names(row.get(2))))
                .toList();
    }

    private static List<Term> terms() {
        return rows("## Terms", "| **")
                .map(row -> new Term(row.get(0).replace("**", ""), row.get(1), names(row.get(2))))
                .toList();
    }

    /** The cells of a section's table, without its head. */
    private static Stream<List<String>> rows(String section, String start) {
        String text = read(GLOSSARY);
        int from = text.indexOf(section);
        assertThat(from).as("GLOSSARY.md needs the section %s", section).isNotNegative();
        int next = text.indexOf("\n## ", from + 1);
        return text.substring(from, next < 0 ? text.length() : next)
                .lines()
                .filter(line -> line.startsWith(start) && !line.startsWith("| word |") && !line.startsWith("| term |"))
                .map(line -> Stream.of(line.substring(1, line.lastIndexOf('|')).split("\\|", -1))
                        .map(String::strip)
                        .toList());
    }

    private static List<String> names(String cell) {
        return Stream.of(cell.split(","))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList();
    }

    /** Of a nested type its own name, of a template the file's. */
    private static boolean has(String name, String word) {
        return name.endsWith(".jte")
                ? name.substring(name.indexOf('/') + 1).contains(word.toLowerCase(Locale.ROOT))
                : name.substring(name.indexOf('.') + 1).contains(word);
    }

    private static Stream<String> nested() {
        return CLASSES.entrySet().stream()
                .flatMap(known -> known.getValue().stream()
                        .map(folder -> MAIN.resolve(folder).resolve(known.getKey() + ".java"))
                        .flatMap(file -> TYPE.matcher(
                                        NOT_CODE.matcher(read(file)).replaceAll("\"\""))
                                .results()
                                .map(type -> type.group(1))
                                .filter(type -> !type.equals(known.getKey()))
                                .map(type -> known.getKey() + "." + type)));
    }

    private static Stream<String> templates() {
        try (Stream<Path> files = Files.walk(TEMPLATES)) {
            return files
                    .map(file -> TEMPLATES.relativize(file).toString())
                    .filter(file -> file.endsWith(".jte"))
                    .sorted()
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, SortedSet<String>> classes() {
        try (Stream<Path> files = Files.walk(MAIN)) {
            return files.map(MAIN::relativize)
                    .filter(file -> file.toString().endsWith(".java") && !file.endsWith("package-info.java"))
                    .collect(groupingBy(
                            file -> file.getFileName().toString().replace(".java", ""),
                            TreeMap::new,
                            mapping(file -> folder(file), toCollection(TreeSet::new))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Empty: the class is in no package below the root's. */
    private static String folder(Path file) {
        return file.getParent() == null ? "" : file.getParent().toString();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
