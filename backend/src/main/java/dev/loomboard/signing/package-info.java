/**
 * The installation's signing key, by which agents know that an assignment or a list of servers is the service's, for their
 * machine and of now.
 *
 * <p>{@link dev.loomboard.signing.Ed25519} signs, {@link dev.loomboard.signing.SigningService} says what,
 * {@link dev.loomboard.signing.SignedMessage} keeps one kind from being taken for another, and
 * {@link dev.loomboard.signing.SigningKeyStore} keeps the keys. {@code api/agent-v1.yaml} describes the bytes.
 *
 * <p>It must not know what an assignment or a list holds.
 */
@NullMarked
package dev.loomboard.signing;

import org.jspecify.annotations.NullMarked;
