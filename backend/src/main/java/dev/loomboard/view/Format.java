package dev.loomboard.view;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Numbers and times as every page writes them. A column of one measure is written by a {@link ColumnFormat} instead. */
public final class Format {

    /** Thin and unbreakable: between groups of digits, and between a number and its unit. */
    public static final char THIN = '\u202f';

    private static final char MINUS = '\u2212';
    private static final int SIGNIFICANT = 3;
    private static final int MOST_DECIMALS = 6;
    private static final double LEAST_P = 0.0001;
    private static final double TIMES = 10;
    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

    private Format() {}

    /** Three significant digits, more where the whole part has them: 0.0512, 101, 12 480. */
    public static String three(double value) {
        return decimals(value, decimalsFor(Math.abs(value)));
    }

    /** Three significant digits; a value that is absent is not zero and does not look like one. */
    public static String threeOr(@Nullable Double value, String absent) {
        return value == null ? absent : three(value);
    }

    public static String count(long value) {
        return decimals(value, 0);
    }

    /** A share between 0 and 1 as per cent. */
    public static String percent(double share) {
        return three(share * 100) + THIN + "%";
    }

    /** A parameter just as it was set: 0.01, 0.0001, 50. */
    public static String plain(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }

    /** What a quantile is called: p99 for 0.99, p99.9 for 0.999. */
    public static String percentile(double quantile) {
        return "p"
                + BigDecimal.valueOf(quantile)
                        .movePointRight(2)
                        .stripTrailingZeros()
                        .toPlainString();
    }

    /** A ratio: 1.00, 0.964, 12.3. */
    public static String ratio(double ratio) {
        return decimals(ratio, ratio >= 100 ? 0 : ratio >= 10 ? 1 : 3);
    }

    /** How far a ratio is from 1, with its sign: +3.2 %; from ten times on as that: ×10 226, ÷12.3. */
    public static String change(double ratio) {
        if (ratio >= TIMES) {
            return "×" + ratio(ratio);
        }
        if (ratio > 0 && ratio <= 1 / TIMES) {
            return "÷" + ratio(1 / ratio);
        }
        double percent = (ratio - 1) * 100;
        String size = decimals(Math.abs(percent), Math.abs(percent) >= 100 ? 0 : 1);
        return (percent < 0 ? MINUS : '+') + size + THIN + "%";
    }

    /** A p; very small ones are only shown as below a limit. */
    public static String p(double p) {
        return p < LEAST_P ? "< " + plain(LEAST_P) : three(p);
    }

    public static String decimals(double value, int decimals) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("a figure must be finite, is " + value);
        }
        String digits = fixed(Math.abs(value), decimals);
        int point = digits.indexOf('.');
        String whole = point < 0 ? digits : digits.substring(0, point);
        String sign = value < 0 && !isZero(digits) ? String.valueOf(MINUS) : "";
        return sign + grouped(whole) + (point < 0 ? "" : digits.substring(point));
    }

    /** With a point and the given number of decimals, for programs; half goes up. A page has a thousand: a format string costs ten times as much. */
    static String fixed(double value, int decimals) {
        return BigDecimal.valueOf(value)
                .setScale(decimals, RoundingMode.HALF_UP)
                .toPlainString();
    }

    /** Decimals that leave three significant digits. */
    static int decimalsFor(double magnitude) {
        if (magnitude == 0 || magnitude >= 100) {
            return 0;
        }
        int leading = (int) Math.floor(Math.log10(magnitude));
        return Math.min(MOST_DECIMALS, Math.max(0, SIGNIFICANT - 1 - leading));
    }

    public static String minute(Instant at) {
        return MINUTE.format(at) + " UTC";
    }

    /** 45 s, 3 min 20 s, 2 h 5 min. */
    public static String duration(Duration length) {
        long seconds = Math.max(0, length.toSeconds());
        if (seconds < 60) {
            return seconds + "" + THIN + "s";
        }
        if (seconds < 3600) {
            return seconds / 60 + "" + THIN + "min" + (seconds % 60 == 0 ? "" : " " + seconds % 60 + THIN + "s");
        }
        return seconds / 3600 + "" + THIN + "h"
                + (seconds / 60 % 60 == 0 ? "" : " " + seconds / 60 % 60 + THIN + "min");
    }

    /** What a run takes of its machine: "80 trials, at most about 1 h 20 min". */
    public static String cost(int trials, double seconds) {
        return of(trials, "trial") + ", at most about " + duration(Duration.ofSeconds(Math.round(seconds)));
    }

    /** "1 trial", "2 trials". */
    public static String of(long number, String thing) {
        return count(number) + " " + thing + (number == 1 ? "" : "s");
    }

    private static boolean isZero(String digits) {
        return digits.chars().allMatch(c -> c == '0' || c == '.');
    }

    private static String grouped(String whole) {
        if (whole.length() < 4) {
            return whole;
        }
        StringBuilder grouped = new StringBuilder(whole);
        for (int i = whole.length() - 3; i > 0; i -= 3) {
            grouped.insert(i, THIN);
        }
        return grouped.toString();
    }
}
