package dev.loomboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What README.md says of the code stands in the code. */
final class DocumentsTest {

    private static final String ROOT = "dev.loomboard.";
    private static final JavaClasses OURS =
            new ClassFileImporter(List.of(new ImportOption.DoNotIncludeTests())).importPackages("dev.loomboard");
    private static final Path README = Path.of("README.md");
    private static final Path MAIN = Path.of("src/main/java/dev/loomboard");
    private static final Path AGENT = Path.of("../runner-agent/internal");
    private static final Pattern STEP = Pattern.compile("(agent: )?`([\\w/.]+)`, `(?:\\w+\\.)?(\\w+)`");

    @Test
    void table_of_packages_names_each_package_once() throws IOException {
        List<String> named = named();
        assertThat(named).as("packages in the table of README.md").doesNotHaveDuplicates();
        assertThat(new TreeSet<>(named))
                .as("packages in the table of README.md, against those that exist")
                .isEqualTo(packages());
    }

    @Test
    void packages_know_only_those_above_them_in_the_table() throws IOException {
        List<String> named = named();
        Set<String> upward = new TreeSet<>();
        for (JavaClass type : OURS) {
            for (Dependency known : type.getDirectDependenciesFromSelf()) {
                int of = named.indexOf(packageOf(type));
                int on = named.indexOf(packageOf(known.getTargetClass()));
                if (of >= 0 && on > of) {
                    upward.add(packageOf(type) + " knows " + packageOf(known.getTargetClass()) + ": "
                            + type.getSimpleName());
                }
            }
        }
        assertThat(upward)
                .as("packages that know one of those below them in the table")
                .isEmpty();
    }

    @Test
    void steps_of_the_way_of_a_second_are_where_it_says() throws IOException {
        List<String> missing = new ArrayList<>();
        List<String> rows = section("## The way of one second of load")
                .filter(line -> line.matches("\\| \\d+ \\|.*"))
                .toList();
        for (String row : rows) {
            Matcher step = STEP.matcher(row);
            if (!step.find()) {
                missing.add("no file and method in: " + row);
                continue;
            }
            Path file = step.group(1) == null ? MAIN.resolve(step.group(2)) : AGENT.resolve(step.group(2));
            if (!Files.exists(file) || !Files.readString(file).contains(" " + step.group(3) + "(")) {
                missing.add(step.group());
            }
        }
        assertThat(rows).hasSizeBetween(5, 10);
        assertThat(missing).as("steps in README.md that are not there").isEmpty();
    }

    private static List<String> named() throws IOException {
        return section("## Packages")
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.substring(3, line.indexOf('`', 3)))
                .toList();
    }

    private static String packageOf(JavaClass type) {
        String name = type.getBaseComponentType().getPackageName();
        return name.startsWith(ROOT) ? name.substring(ROOT.length()) : "";
    }

    private static Set<String> packages() throws IOException {
        try (Stream<Path> files = Files.walk(MAIN)) {
            return files.filter(file -> file.endsWith("package-info.java"))
                    .map(file -> MAIN.relativize(file.getParent()).toString().replace('/', '.'))
                    .filter(name -> !name.isEmpty())
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static Stream<String> section(String title) throws IOException {
        String text = Files.readString(README);
        int from = text.indexOf(title + "\n");
        assertThat(from).as("README.md needs the section %s", title).isNotNegative();
        int next = text.indexOf("\n## ", from + 1);
        return text.substring(from, next < 0 ? text.length() : next).lines();
    }
}
