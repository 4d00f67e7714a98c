package dev.loomboard.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DatabaseUrlTest {

    @Test
    void address_gives_both_forms() {
        DatabaseUrl url = DatabaseUrl.parse("postgresql://ann:p%40ss%3A%2F@db.example:6543/loom?sslmode=require");
        assertThat(url).isEqualTo(new DatabaseUrl("db.example", 6543, "loom", "ann", "p@ss:/", "require"));
        assertThat(url.jdbc()).isEqualTo("jdbc:postgresql://db.example:6543/loom?sslmode=require");
    }

    @Test
    void port_defaults_to_5432() {
        assertThat(DatabaseUrl.parse("postgres://u:p@h/d").port()).isEqualTo(5432);
    }

    @Test
    void text_form_hides_the_password() {
        assertThat(DatabaseUrl.parse("postgresql://u:secret@h/d").toString()).doesNotContain("secret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://h/d",
                "postgresql://h/d",
                "postgresql://u@h/d",
                "postgresql://u:hidden@h",
                "postgresql://u:hidden@h/",
                "postgresql://u:hidden@h/d?options=x",
                "not an address",
                "mysql://u:hidden@h/d"
            })
    void wrong_address_is_refused_without_its_password(String text) {
        assertThatThrownBy(() -> DatabaseUrl.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("The database address ")
                .hasMessageNotContaining("hidden");
    }

    @Property(tries = 200)
    void every_password_survives_writing_and_reading(
            @ForAll @StringLength(min = 1, max = 30) String password,
            @ForAll @AlphaChars @StringLength(min = 1, max = 8) String name) {
        org.assertj.core.api.Assumptions.assumeThat(password.codePoints().noneMatch(DatabaseUrlTest::unwritable))
                .isTrue();
        DatabaseUrl url = new DatabaseUrl("localhost", 5432, name, name, password, null);
        assertThat(DatabaseUrl.parse(url.withPassword())).isEqualTo(url);
    }

    private static boolean unwritable(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE
                && codePoint <= Character.MAX_SURROGATE; // a lone half of a character
    }
}
