package dev.loomboard.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.stats.change.MinimumDetectableEffect;
import org.junit.jupiter.api.Test;

final class HistoryPageTest {

    @Test
    void change_that_few_trials_tell_of_is_a_range() {
        MinimumDetectableEffect seen = new MinimumDetectableEffect(
                40, 0.1, 0.03, 0.02, 0.06, 0.05, null, new MinimumDetectableEffect.Range(0.04, 0.12));
        assertThat(HistoryPage.byRerun(seen))
                .containsPattern("^5\\.00.+ \\(95 % range 4\\.00.+ to 12\\.0.+; few trials\\)");
        assertThat(HistoryPage.byHistory(seen)).startsWith("6.00").doesNotContain("95 % range");
    }
}
