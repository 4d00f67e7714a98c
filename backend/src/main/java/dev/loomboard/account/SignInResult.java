package dev.loomboard.account;

import dev.loomboard.kernel.Secret;

/** What came of an attempt to sign in. */
sealed interface SignInResult {

    /** @param session the new session's secret, for the cookie */
    record SignedIn(Secret session) implements SignInResult {}

    /** Wrong email or password; which of them is not said. */
    record Refused() implements SignInResult {}

    /** Too many failures of late. */
    record Throttled() implements SignInResult {}
}
