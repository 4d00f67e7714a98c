package dev.loomboard.signing;

import dev.loomboard.kernel.Digest;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;

/** Ed25519 as every JDK has it, on the bytes that are stored and sent. */
final class Ed25519 {

    private static final String NAME = "Ed25519";
    private static final int PUBLIC_BYTES = 32;
    private static final int ID_DIGITS = 16;

    private Ed25519() {}

    /**
     * @param publicKey the 32 bytes of RFC 8032
     * @param privateKey PKCS #8
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Pair(byte[] publicKey, byte[] privateKey) {}

    static Pair newPair() {
        try {
            KeyPair pair = KeyPairGenerator.getInstance(NAME).generateKeyPair();
            return new Pair(raw(pair.getPublic()), pair.getPrivate().getEncoded());
        } catch (GeneralSecurityException e) {
            throw missing(e);
        }
    }

    /** @param privateKey PKCS #8 */
    static byte[] sign(byte[] privateKey, byte[]... parts) {
        try {
            Signature signature = Signature.getInstance(NAME);
            signature.initSign(KeyFactory.getInstance(NAME).generatePrivate(new PKCS8EncodedKeySpec(privateKey)));
            for (byte[] part : parts) {
                signature.update(part);
            }
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw missing(e);
        }
    }

    /** By which a key is named: the first 16 hexadecimal digits of its SHA-256. */
    static String id(byte[] publicKey) {
        return HexFormat.of().formatHex(Digest.sha256(publicKey)).substring(0, ID_DIGITS);
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** The end of what X.509 says of it, which begins with the algorithm's name. */
    private static byte[] raw(PublicKey key) {
        byte[] encoded = key.getEncoded();
        return Arrays.copyOfRange(encoded, encoded.length - PUBLIC_BYTES, encoded.length);
    }

    private static IllegalStateException missing(GeneralSecurityException e) {
        return new IllegalStateException("every JDK has Ed25519, and the stored key is one", e);
    }
}
