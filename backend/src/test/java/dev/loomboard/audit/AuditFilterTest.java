package dev.loomboard.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class AuditFilterTest {

    @Test
    void days_are_whole_and_the_last_is_with_it() {
        AuditFilter filter = AuditFilter.of(Map.of("from", "2026-11-01", "to", "2026-11-02", "actor", " Ada & Bob "));
        assertThat(filter.form().isRefused()).isFalse();
        assertThat(filter.from()).isEqualTo(Instant.parse("2026-11-01T00:00:00Z"));
        assertThat(filter.until()).isEqualTo(Instant.parse("2026-11-03T00:00:00Z"));
        assertThat(filter.actor()).isEqualTo("Ada & Bob");
        assertThat(filter.isFirstPage()).isTrue();
    }

    @Test
    void address_of_the_next_page_asks_the_same_question() {
        AuditFilter filter = AuditFilter.of(Map.of("action", "machine", "actor", "Ada & Bob", "before", "17"));
        assertThat(filter.before()).isEqualTo(17);
        assertThat(filter.query(5L)).isEqualTo("actor=Ada+%26+Bob&action=machine&before=5");
        assertThat(AuditFilter.of(Map.of()).query(null)).isEmpty();
    }

    @Test
    void each_field_that_cannot_be_is_named() {
        AuditFilter filter = AuditFilter.of(Map.of(
                "actor", "x".repeat(81), "action", "'; drop", "from", "yesterday", "to", "9999-12-31", "before", "-1"));
        for (String field : new String[] {"actor", "action", "from", "to", "before"}) {
            assertThat(filter.form().problem(field)).as(field).isNotNull();
        }
        assertThat(filter.form().value("action"))
                .as("what was typed stays in the form")
                .isEqualTo("'; drop");
    }
}
