package dev.loomboard.credential;

import dev.loomboard.kernel.Secret;
import org.jspecify.annotations.Nullable;

/**
 * How somebody who is signed in proves again who they are.
 *
 * @param password as it was typed; blank where none is asked for
 * @param session the one that asks, which the provider may have proven; null: there is none
 */
public record Proof(String password, @Nullable Secret session) {}
