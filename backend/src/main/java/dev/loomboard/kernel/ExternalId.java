package dev.loomboard.kernel;

import java.security.SecureRandom;
import java.util.regex.Pattern;

/**
 * An id as the outside sees it: a type prefix and 96 random bits in base32, such as {@code run_k3…}. It says nothing of
 * order or number.
 */
public record ExternalId(String value) {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int BYTES = 12;
    private static final Pattern SHAPE = Pattern.compile("[a-z]{3}_[a-z2-7]{20}");

    public ExternalId {
        if (!SHAPE.matcher(value).matches()) {
            throw new IllegalArgumentException("id must be a prefix and 20 characters of base32, is: " + value);
        }
    }

    /** A new id; {@code prefix} is three letters: run, trl, cel, mac, ser, mtx, sch, acc, ses, tok, reg, wsp, chg, ret, inv, hid. */
    public static ExternalId random(String prefix) {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return new ExternalId(prefix + "_" + Base32.encode(bytes));
    }

    /** True for a well-formed id of that type: checked before a look-up, so that rubbish in a URL is a plain 404. */
    public static boolean isOf(String prefix, String text) {
        return text.startsWith(prefix + "_") && SHAPE.matcher(text).matches();
    }

    @Override
    public String toString() {
        return value;
    }
}
