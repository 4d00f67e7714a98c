package dev.loomboard.account;

import dev.loomboard.kernel.Secret;
import java.time.Duration;

/** What came of an attempt to sign in. */
public sealed interface SignInResult {

    /**
     * What a browser is given that has proven who uses it.
     *
     * @param session the new session's secret
     * @param life how long it may last
     * @param device by which it is known from now on
     */
    record Entry(Secret session, Duration life, DeviceCookie device) {}

    record SignedIn(Entry entry) implements SignInResult {}

    /** The account asks for a code as well. @param waiting the secret by which the browser goes on */
    record SecondStep(Secret waiting) implements SignInResult {}

    /** Wrong email or password, which of them is not said; or a wrong code. */
    record Refused() implements SignInResult {}

    /** Too many failures of late. */
    record Throttled() implements SignInResult {}
}
