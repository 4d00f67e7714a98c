package dev.loomboard.web.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.r2dbc.spi.R2dbcBadGrammarException;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionSystemException;

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
    @ValueSource(strings = {"57P01", "57P02", "57P03", "08006"})
    void connection_that_is_lost_is_no_failure_of_the_service_however_it_is_wrapped(String state) {
        var lost = new R2dbcNonTransientResourceException("terminating connection", state);
        assertThat(Problems.of(lost).status()).isEqualTo(503);
        assertThat(Problems.of(new CannotCreateTransactionException("no connection", lost))
                        .status())
                .isEqualTo(503);
        assertThat(Problems.of(new TransactionSystemException("commit failed", lost))
                        .status())
                .isEqualTo(503);
    }

    @Test
    void connection_that_ends_without_a_word_is_none_either() {
        var cut = new R2dbcNonTransientResourceException("Connection unexpectedly closed");
        assertThat(Problems.of(new TransactionSystemException("commit failed", cut))
                        .status())
                .isEqualTo(503);
    }

    @ParameterizedTest
    @ValueSource(strings = {"22012", "42601"})
    void query_that_is_wrong_is_ours(String state) {
        assertThat(Problems.of(new R2dbcBadGrammarException("syntax error", state))
                        .status())
                .isEqualTo(500);
    }
}
