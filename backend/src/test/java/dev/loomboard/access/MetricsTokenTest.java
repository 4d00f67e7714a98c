package dev.loomboard.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loomboard.kernel.StartupRefusal;
import org.junit.jupiter.api.Test;

final class MetricsTokenTest {

    private static final String TOKEN = "0123456789abcdef".repeat(2);

    @Test
    void the_configured_token_alone_is_it() {
        MetricsToken token = MetricsToken.of(" " + TOKEN + "\n");
        assertThat(token.is(TOKEN)).isTrue();
        assertThat(token.is(TOKEN + "0")).isFalse();
        assertThat(token.is("")).isFalse();
    }

    @Test
    void without_one_nothing_is() {
        assertThat(MetricsToken.of("").is("")).isFalse();
        assertThat(MetricsToken.of("  ").is("  ")).isFalse();
    }

    @Test
    void one_that_can_be_guessed_is_refused_and_not_repeated() {
        assertThatThrownBy(() -> MetricsToken.of("letmein"))
                .isInstanceOf(StartupRefusal.class)
                .hasMessageContaining("LOOMBOARD_METRICS_TOKEN")
                .hasMessageNotContaining("letmein");
    }
}
