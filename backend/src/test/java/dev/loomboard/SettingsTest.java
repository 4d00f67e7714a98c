package dev.loomboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class SettingsTest {

    @Test
    void every_setting_is_described_in_the_readme_and_no_other() throws IOException {
        Set<String> settings = named("\\$\\{(LOOMBOARD_[A-Z_]+):", Path.of("src/main/resources/application.yaml"));
        Set<String> described = named("^\\| `(LOOMBOARD_[A-Z_]+)`", Path.of("README.md"));
        assertThat(described).as("rows of the settings table in README.md").isEqualTo(settings);
    }

    @Test
    void defaults_in_the_readme_are_those_of_the_service() throws IOException {
        Set<String> settings =
                named("\\$\\{(LOOMBOARD_[A-Z_]+:[^}]*)\\}", Path.of("src/main/resources/application.yaml"));
        Set<String> described = Pattern.compile("^\\| `(LOOMBOARD_[A-Z_]+)` \\| (?:`([^`]+)`)? ?\\|", Pattern.MULTILINE)
                .matcher(Files.readString(Path.of("README.md")))
                .results()
                .map(row -> row.group(1) + ":" + (row.group(2) == null ? "" : row.group(2)))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(described).as("defaults in the settings table of README.md").isEqualTo(settings);
    }

    private static Set<String> named(String pattern, Path file) throws IOException {
        return Pattern.compile(pattern, Pattern.MULTILINE)
                .matcher(Files.readString(file))
                .results()
                .map((MatchResult found) -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
