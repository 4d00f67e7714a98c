package dev.loomboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** SECURITY-TESTS.md names for each attack the test that holds its defence: each of them exists. */
final class SecurityTableTest {

    private static final Path TABLE = Path.of("../SECURITY-TESTS.md");
    private static final Path JAVA = Path.of("src/test/java");
    private static final Path AGENT = Path.of("../runner-agent");

    private static final Pattern JAVA_TEST = Pattern.compile("([A-Z]\\w+)\\.([a-z]\\w+)");
    private static final Pattern GO_TEST = Pattern.compile("([a-z][a-z/-]*)/((?:Test|Fuzz)\\w+)");

    private record Row(int line, String attack, List<String> tests) {}

    @Test
    void each_attack_names_a_test_and_each_test_exists() throws IOException {
        Map<String, String> classes = classes();
        List<Row> rows = rows();
        assertThat(rows).hasSizeGreaterThan(60);
        List<String> missing = new ArrayList<>();
        for (Row row : rows) {
            if (row.tests().isEmpty()) {
                missing.add("line " + row.line() + ": no test of: " + row.attack());
            }
            for (String test : row.tests()) {
                if (!exists(classes, test)) {
                    missing.add("line " + row.line() + ": there is no test " + test);
                }
            }
        }
        assertThat(missing)
                .as(
                        "SECURITY-TESTS.md: name a test as Class.method (service) or package/TestName (agent, below internal or"
                                + " runner-agent); where a test was renamed, rename it there")
                .isEmpty();
    }

    /** Shows that the check above can fail. */
    @Test
    void what_is_no_test_is_found_to_be_none() throws IOException {
        Map<String, String> classes = classes();
        assertThat(Stream.of(
                                "NoSuchTest.method",
                                "SecurityTableTest.no_such_method",
                                "api/TestNoSuch",
                                "no/such/TestClient_goesNowhereElseWithItsKey",
                                "words")
                        .filter(test -> exists(classes, test)))
                .isEmpty();
    }

    private static List<Row> rows() throws IOException {
        List<String> lines = Files.readAllLines(TABLE);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String[] columns = lines.get(i).split("\\|");
            if (columns.length == 4
                    && !columns[3].isBlank()
                    && !columns[3].contains("---")
                    && !columns[3].strip().equals("test")) {
                rows.add(new Row(
                        i + 1,
                        columns[1].strip(),
                        Pattern.compile("`([^`]+)`")
                                .matcher(columns[3])
                                .results()
                                .map((MatchResult quoted) -> quoted.group(1))
                                .toList()));
            }
        }
        return rows;
    }

    private static boolean exists(Map<String, String> classes, String test) {
        Matcher java = JAVA_TEST.matcher(test);
        if (java.matches()) {
            return declares(classes.getOrDefault(java.group(1), ""), " " + java.group(2) + "(");
        }
        Matcher go = GO_TEST.matcher(test);
        return go.matches()
                && Stream.of(AGENT.resolve("internal"), AGENT)
                        .anyMatch(root -> goTests(root.resolve(go.group(1)))
                                .anyMatch(text -> declares(text, "\nfunc " + go.group(2) + "(")));
    }

    private static boolean declares(String text, String declaration) {
        return text.contains(declaration);
    }

    private static Stream<String> goTests(Path folder) {
        if (!Files.isDirectory(folder)) {
            return Stream.empty();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files
                    .filter(file -> file.toString().endsWith("_test.go"))
                    .map(SecurityTableTest::text)
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sources of the service's tests by the simple name of their class, which is unique. */
    private static Map<String, String> classes() throws IOException {
        Map<String, String> classes = new TreeMap<>();
        try (Stream<Path> files = Files.walk(JAVA)) {
            files.filter(file -> file.toString().endsWith(".java"))
                    .forEach(file -> classes.put(file.getFileName().toString().replace(".java", ""), text(file)));
        }
        return classes;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
