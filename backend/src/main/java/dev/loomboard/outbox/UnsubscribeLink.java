package dev.loomboard.outbox;

import dev.loomboard.kernel.Base32;
import dev.loomboard.kernel.ExternalId;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Whose mails of which workspace a link ends. It is signed, so that the service need not store one for each mail; it allows nothing else
 * than to end these mails.
 *
 * @param account external id
 * @param workspace external id
 */
record UnsubscribeLink(String account, String workspace) {

    private static final String ALGORITHM = "HmacSHA256";
    private static final int PARTS = 3;

    /** As it stands in an address: account, workspace and signature, with points between. */
    String signed(byte[] secret) {
        return text() + "." + signature(secret);
    }

    /** Empty: it was not signed with the secret. */
    static Optional<UnsubscribeLink> read(String signed, byte[] secret) {
        String[] parts = signed.split("\\.", -1);
        if (parts.length != PARTS || !ExternalId.isOf("acc", parts[0]) || !ExternalId.isOf("wsp", parts[1])) {
            return Optional.empty();
        }
        UnsubscribeLink link = new UnsubscribeLink(parts[0], parts[1]);
        byte[] expected = link.signature(secret).getBytes(StandardCharsets.US_ASCII);
        return MessageDigest.isEqual(expected, parts[2].getBytes(StandardCharsets.UTF_8))
                ? Optional.of(link)
                : Optional.empty();
    }

    private String signature(byte[] secret) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
            return Base32.encode(mac.doFinal(("unsubscribe." + text()).getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }

    private String text() {
        return account + "." + workspace;
    }
}
