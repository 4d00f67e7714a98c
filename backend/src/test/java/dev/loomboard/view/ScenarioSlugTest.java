package dev.loomboard.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Addresses that people can read, and that no two scenarios share. */
final class ScenarioSlugTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    io@1?delayMs=100;constant:rate=300,seconds=12       | io-100ms-300rps-12s
                    compute@1?;constant:rate=0.5,seconds=20             | compute-0.5rps-20s
                    matmul@1?delayMs=25&size=200;closed:connections=50,seconds=12 | matmul-25ms-200x200-50-connections-12s
                    """)
    void what_most_scenarios_are_is_told_whole(String key, String slug) {
        assertThat(ScenarioSlug.of(key)).isEqualTo(slug);
    }

    @Test
    void what_words_do_not_tell_is_told_by_a_digest() {
        List<String> keys = List.of(
                "io@2?delayMs=100;constant:rate=300,seconds=12",
                "io@1?delayMs=100;db=1+2;constant:rate=300,seconds=12",
                "io-100ms@1?;constant:rate=300,seconds=12",
                "io@1?mode=a-b;constant:rate=300,seconds=12",
                "io@1?mode=%3Cscript%3E;constant:rate=300,seconds=12",
                "io@1?delayMs=100;poisson:rate=300,seconds=12,seed=1",
                "io@1?delayMs=100;poisson:rate=300,seconds=12,seed=2",
                "io@1?delayMs=100;constant:rate=300,seconds=13",
                "no key",
                "",
                "ü@1?" + "x".repeat(300) + "=1;constant:rate=300,seconds=12");
        assertThat(keys.stream().map(ScenarioSlug::of))
                .doesNotHaveDuplicates()
                .doesNotContain("io-100ms-300rps-12s")
                .allMatch(slug -> slug.matches("[a-z0-9.-]{1,70}"));
        assertThat(ScenarioSlug.of("io@1?delayMs=100;ramp:start=1,step=1,seconds=1"))
                .matches("io-100ms-ramp-[0-9a-f]{6}");
    }
}
