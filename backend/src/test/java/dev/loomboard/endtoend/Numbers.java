package dev.loomboard.endtoend;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Numbers as pages show them. */
final class Numbers {

    private Numbers() {}

    /** Half a unit of the second digit, and what the other number was rounded by. */
    private static final double TWO_DIGITS = 0.05 + 0.005;

    /** Whether a number of two digits, as of one launch, is the other one. */
    static boolean agree(String twoDigits, String exact) {
        double value = number(exact).doubleValue();
        return Math.abs(number(twoDigits).doubleValue() - value) <= TWO_DIGITS * value;
    }

    /** {@code value} with the decimals that {@code shown} has. */
    static String as(String shown, double value) {
        return new BigDecimal(value)
                .setScale(number(shown).scale(), RoundingMode.HALF_UP)
                .toPlainString();
    }

    /** Without the separators of thousands. */
    static BigDecimal number(String shown) {
        return new BigDecimal(shown.replaceAll("[\\s,\\u2009\\u202f\\u00a0]", ""));
    }
}
