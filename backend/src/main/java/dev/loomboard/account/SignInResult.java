package dev.loomboard.account;

import dev.loomboard.kernel.Secret;

/** What came of an attempt to sign in. */
sealed interface SignInResult {

    /**
     * What a browser is given that has proven who uses it.
     *
     * @param session the new session's secret
     * @param device by which it is known from now on
     */
    record Entry(Secret session, DeviceCookie device) {}

    record SignedIn(Entry entry) implements SignInResult {}

    /** Wrong email or password; which of them is not said. */
    record Refused() implements SignInResult {}

    /** Too many failures of late. */
    record Throttled() implements SignInResult {}
}
