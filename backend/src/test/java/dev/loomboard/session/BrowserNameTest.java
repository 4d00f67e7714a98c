package dev.loomboard.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class BrowserNameTest {

    @Test
    void browser_and_system_are_told_in_a_few_words() {
        assertThat(BrowserName.of("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"))
                .isEqualTo("Firefox on Linux");
        assertThat(BrowserName.of("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)"
                        + " Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0"))
                .isEqualTo("Edge on Windows");
        assertThat(BrowserName.of("Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko)"
                        + " Chrome/140.0.0.0 Mobile Safari/537.36"))
                .isEqualTo("Chrome on Android");
        assertThat(BrowserName.of("Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15"
                        + " (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"))
                .isEqualTo("Safari on iOS");
    }

    @Test
    void what_is_not_known_is_not_repeated() {
        assertThat(BrowserName.of("<script>")).isEqualTo("unknown browser");
        assertThat(BrowserName.of(null)).isEqualTo("unknown browser");
        assertThat(BrowserName.of("curl/8.14.1")).isEqualTo("curl");
        assertThat(BrowserName.of("Something (Macintosh)")).isEqualTo("a browser on macOS");
    }
}
