/**
 * The installation's signing key, by which agents know that an assignment is the service's, for their machine and of now.
 *
 * <p>{@link dev.loomboard.signing.Ed25519} signs, {@link dev.loomboard.signing.SigningService} says what, and
 * {@link dev.loomboard.signing.SigningKeyStore} keeps the keys. {@code api/agent-v1.yaml} describes the bytes.
 *
 * <p>It must not know what an assignment holds.
 */
@NullMarked
package dev.loomboard.signing;

import org.jspecify.annotations.NullMarked;
