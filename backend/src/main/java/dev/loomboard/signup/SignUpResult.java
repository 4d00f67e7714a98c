package dev.loomboard.signup;

import dev.loomboard.session.NewSession;

/** What came of an attempt to make an account by a link that only its receiver knows. */
public sealed interface SignUpResult {

    /**
     * The account is there, and its person signed in.
     *
     * @param next path to go on to
     */
    record Made(NewSession session, String next) implements SignUpResult {}

    /** The address has an account already. */
    record Taken() implements SignUpResult {}

    /** The password is not the one that was chosen at first. */
    record WrongPassword() implements SignUpResult {}

    /** Too many attempts of late. */
    record Throttled() implements SignUpResult {}

    /** The operator lets nobody in by this way. */
    record Closed() implements SignUpResult {}
}
