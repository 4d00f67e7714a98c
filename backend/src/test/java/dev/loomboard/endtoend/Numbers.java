package dev.loomboard.endtoend;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Numbers as pages show them. */
final class Numbers {

    private Numbers() {}

    /** Whether both are the same number, written with as many decimals as the shorter one has. */
    static boolean agree(String one, String other) {
        BigDecimal a = number(one);
        BigDecimal b = number(other);
        int scale = Math.min(a.scale(), b.scale());
        return a.setScale(scale, RoundingMode.HALF_EVEN)
                        .subtract(b.setScale(scale, RoundingMode.HALF_EVEN))
                        .abs()
                        .compareTo(a.scale() == b.scale() ? BigDecimal.ZERO : BigDecimal.ONE.movePointLeft(scale))
                <= 0;
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
