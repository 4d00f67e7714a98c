package dev.loomboard.twostep;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TotpTest {

    /** Of the test vectors in RFC 6238, appendix B. */
    private static final byte[] SECRET = "12345678901234567890".getBytes(StandardCharsets.US_ASCII);

    private static final long NEVER = -1;

    /** The RFC prints eight digits; six are the last of these. */
    @ParameterizedTest
    @CsvSource({
        "59, 94287082",
        "1111111109, 07081804",
        "1111111111, 14050471",
        "1234567890, 89005924",
        "2000000000, 69279037",
        "20000000000, 65353130"
    })
    void code_is_that_of_the_rfc(long second, String printed) {
        assertThat(Totp.code(SECRET, second / 30)).isEqualTo(printed.substring(2));
    }

    /** RFC 4226, appendix D. */
    @ParameterizedTest
    @CsvSource({"0, 755224", "1, 287082", "2, 359152", "3, 969429", "9, 520489"})
    void code_of_a_counter_is_that_of_the_rfc(long counter, String printed) {
        assertThat(Totp.code(SECRET, counter)).isEqualTo(printed);
    }

    @Test
    void code_is_good_for_its_step_and_one_more_on_each_side() {
        String code = Totp.code(SECRET, 100);
        assertThat(at(98 * 30, code, NEVER)).isEmpty();
        assertThat(at(99 * 30, code, NEVER)).hasValue(100);
        assertThat(at(100 * 30 + 29, code, NEVER)).hasValue(100);
        assertThat(at(101 * 30 + 29, code, NEVER)).hasValue(100);
        assertThat(at(102 * 30, code, NEVER)).isEmpty();
    }

    @Test
    void code_that_was_used_is_not_good_again_nor_an_older_one() {
        assertThat(at(3000, Totp.code(SECRET, 100), 100)).isEmpty();
        assertThat(at(3000, Totp.code(SECRET, 99), 100)).isEmpty();
        assertThat(at(3000, Totp.code(SECRET, 101), 100)).hasValue(101);
    }

    @Test
    void spaces_are_no_part_of_a_code_and_nothing_else_is_forgiven() {
        String code = Totp.code(SECRET, 100);
        assertThat(at(3000, code.substring(0, 3) + " " + code.substring(3) + " ", NEVER))
                .hasValue(100);
        assertThat(at(3000, "", NEVER)).isEmpty();
        assertThat(at(3000, "0" + code, NEVER)).isEmpty();
        assertThat(at(3000, code.substring(1), NEVER)).isEmpty();
    }

    @Test
    void address_for_authenticators_names_the_account_and_the_secret_in_base32() {
        assertThat(Totp.uri(SECRET, "a b+c@example.org"))
                .isEqualTo("otpauth://totp/Loomboard:a%20b%2Bc%40example.org"
                        + "?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Loomboard");
    }

    @Test
    void recovery_codes_are_random_and_forgive_how_they_are_written() {
        var codes = RecoveryCodes.fresh();
        assertThat(codes)
                .hasSize(10)
                .doesNotHaveDuplicates()
                .allMatch(code -> code.matches("([a-z2-7]{4}-){3}[a-z2-7]{4}"));
        String code = codes.getFirst();
        assertThat(RecoveryCodes.hash(code.toUpperCase(java.util.Locale.ROOT).replace("-", " ")))
                .isEqualTo(RecoveryCodes.hash(code));
        assertThat(RecoveryCodes.hash(codes.get(1))).isNotEqualTo(RecoveryCodes.hash(code));
    }

    @Test
    void picture_has_its_finders_and_a_quiet_margin() {
        QrPicture picture = QrPicture.of("otpauth://totp/Loomboard:ann");
        assertThat(picture.path()).startsWith("M4 4h1v1h-1z").contains("M" + (picture.side() - 5) + " 4h1");
        assertThat(picture.path()).doesNotContain("M3 ", " 3h", "M" + (picture.side() - 4) + " ");
    }

    private static OptionalLong at(long second, String typed, long used) {
        return Totp.step(SECRET, typed, Instant.ofEpochSecond(second), used);
    }
}
