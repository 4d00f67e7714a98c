package dev.loomboard.signin;

import dev.loomboard.kernel.Secret;
import dev.loomboard.session.NewSession;

/** What came of an attempt to sign in. */
public sealed interface SignInResult {

    record SignedIn(NewSession session) implements SignInResult {}

    /**
     * The account asks for a code as well.
     *
     * @param waiting the secret by which the browser goes on
     */
    record SecondStep(Secret waiting) implements SignInResult {}

    /** Wrong email or password, which of them is not said; or a wrong code. */
    record Refused() implements SignInResult {}

    /** Too many failures of late. */
    record Throttled() implements SignInResult {}
}
