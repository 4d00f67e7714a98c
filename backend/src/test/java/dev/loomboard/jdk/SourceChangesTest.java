package dev.loomboard.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.cell.Availability;
import dev.loomboard.cell.Jdk;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class SourceChangesTest {

    @Test
    void builds_of_the_main_repository_are_compared_there_whatever_a_packager_added() {
        assertThat(url("28-ea+18-1-Debian", "28-ea+19-1-Debian"))
                .isEqualTo("https://github.com/openjdk/jdk/compare/jdk-28+18...jdk-28+19");
        assertThat(url("27+35", "28-ea+18")).endsWith("/openjdk/jdk/compare/jdk-27+35...jdk-28+18");
        assertThat(url("27.0.0+35", "28-ea+18")).contains("jdk-27+35");
    }

    @Test
    void updates_of_a_release_are_compared_in_its_own_repository() {
        assertThat(url("25.0.2+10-LTS", "25.0.3+9-LTS"))
                .isEqualTo("https://github.com/openjdk/jdk25u/compare/jdk-25.0.2+10...jdk-25.0.3+9");
    }

    @Test
    void what_has_no_common_repository_or_no_tag_is_not_compared() {
        assertThat(between("25+36", "25.0.1+8")).isNull();
        assertThat(between("25.0.3+9", "28-ea+18")).isNull();
        assertThat(between("27", "28-ea+18")).isNull();
    }

    private static String url(String older, String newer) {
        return Objects.requireNonNull(between(older, newer)).url();
    }

    private static @Nullable SourceChanges between(String older, String newer) {
        return SourceChanges.between(jdk(older), jdk(newer));
    }

    private static Jdk jdk(String version) {
        return new Jdk(version, "temurin", version, 28, Availability.EA, "amd64", "l");
    }
}
