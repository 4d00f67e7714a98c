package dev.loomboard.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CharactersTest {

    @ParameterizedTest
    @ValueSource(strings = {"", "plain", "zwei\r\n\tZeilen", "ё 日本 🧵", "\uD83E\uDDF5"})
    void ordinary_text_passes(String text) {
        assertThat(Characters.unstorable(text)).isNull();
        assertThat(Characters.deceptive(text)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\0b", "\0", "a\uD83E", "\uDDF5b", "\uDDF5\uD83E"})
    void what_the_database_cannot_hold_is_named(String text) {
        assertThat(Characters.unstorable(text)).startsWith("must not contain U+");
        assertThat(Characters.deceptive(text)).startsWith("must not contain U+");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\u202Eb", "\u2066", "bell\u0007", "\u001B[31m", "\u0085", "\u007F"})
    void what_makes_a_text_look_like_another_can_be_stored_and_must_not_be_typed(String text) {
        assertThat(Characters.unstorable(text)).isNull();
        assertThat(Characters.deceptive(text)).startsWith("must not contain U+");
    }

    /** All characters of one and two units, each between two letters. */
    @Test
    void page_shows_exactly_the_deceptive_ones() {
        for (int c = 1; c <= 0x1F9F5; c++) {
            if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
                continue;
            }
            String text = "a" + Character.toString(c) + "b";
            byte[] page = text.getBytes(StandardCharsets.UTF_8);
            Characters.expose(page);
            String shown = new String(page, StandardCharsets.UTF_8);
            if (Characters.deceptive(text) == null) {
                assertThat(shown).isEqualTo(text);
            } else {
                assertThat(shown).isIn("a?b", "a??b", "a\uFFFDb");
            }
        }
    }
}
