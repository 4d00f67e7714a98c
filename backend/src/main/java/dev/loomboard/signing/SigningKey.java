package dev.loomboard.signing;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * The public half of a signing key, as agents are given it.
 *
 * @param id first 16 hexadecimal digits of SHA-256 of the key
 * @param publicKey the 32 bytes of RFC 8032, base64
 * @param announcement its signature by the key before it, base64; null: it is the first
 */
public record SigningKey(
        String id,
        String publicKey,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String announcement) {}
