package dev.loomboard.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.r2dbc.spi.R2dbcBadGrammarException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataIntegrityViolationException;

/** What the database's refusals mean to the sender. */
final class ProblemsTest {

    @ParameterizedTest
    @ValueSource(strings = {"22021", "22P05", "22008"})
    void what_cannot_be_stored_is_the_senders_fault(String state) {
        var refused = new R2dbcBadGrammarException("invalid byte sequence", state);
        assertThat(Problems.of(refused).status()).isEqualTo(422);
        assertThat(Problems.of(new DataIntegrityViolationException("executeMany", refused))
                        .status())
                .isEqualTo(422);
    }

    @ParameterizedTest
    @ValueSource(strings = {"22012", "42601"})
    void query_that_is_wrong_is_ours(String state) {
        assertThat(Problems.of(new R2dbcBadGrammarException("syntax error", state))
                        .status())
                .isEqualTo(500);
    }
}
