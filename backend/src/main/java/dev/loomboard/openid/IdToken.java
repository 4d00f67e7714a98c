package dev.loomboard.openid;

/**
 * What a provider's token says, once it has passed {@link IdTokenCheck}.
 *
 * @param subject who it is: unique at the provider
 */
record IdToken(String subject, Profile profile) {}
