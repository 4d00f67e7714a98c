/**
 * Signing in by a provider of OpenID Connect, which the operator names by its address: authorization code flow with PKCE.
 *
 * <p>{@link OpenIdService} sends browsers there and says what their coming back means; {@link ProviderService} speaks with the
 * provider, and {@link IdTokenCheck} holds what it says against the rules. {@link Visit} is one browser's way there and back.
 *
 * <p>Who has been proven is let in by {@code signin.EntryService}, as everybody is, and gets an account by
 * {@code signup.SignUpService}, where the operator lets anybody have one.
 */
@NullMarked
package dev.loomboard.openid;

import org.jspecify.annotations.NullMarked;
