package dev.loomboard.openid;

import dev.loomboard.signin.SignInResult;

/** What came of a browser's coming back from the provider, where it went well. */
sealed interface OpenIdResult {

    /**
     * It is known who it is.
     *
     * @param next path to go on to
     */
    record Known(SignInResult entry, String next) implements OpenIdResult {}

    /** The account is linked. */
    record Linked() implements OpenIdResult {}

    /**
     * The session's person gave proof again.
     *
     * @param next path to go on to
     */
    record Proven(String next) implements OpenIdResult {}
}
