package dev.loomboard.twostep;

import dev.loomboard.kernel.Base32;
import dev.loomboard.kernel.Digest;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Codes on paper for a lost authenticator: 80 random bits each, so that a plain hash of them reveals nothing. */
final class RecoveryCodes {

    static final int NUMBER = 10;
    private static final int BYTES = 10;
    private static final int GROUP = 4;
    private static final SecureRandom RANDOM = new SecureRandom();

    private RecoveryCodes() {}

    /** New ones, as they are written down: in groups of four. */
    static List<String> fresh() {
        return IntStream.range(0, NUMBER).mapToObj(number -> code()).toList();
    }

    /** Of a code as somebody typed it, with or without what parts its groups. */
    static byte[] hash(String typed) {
        String plain = typed.replaceAll("[\\s-]", "").toLowerCase(Locale.ROOT);
        return Digest.sha256(plain.getBytes(StandardCharsets.UTF_8));
    }

    private static String code() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return Base32.encode(bytes).replaceAll("(.{" + GROUP + "})(?=.)", "$1-");
    }
}
