package dev.loomboard.openid;

/** What came of holding an ID token against the rules. */
sealed interface IdTokenResult {

    record Good(IdToken token) implements IdTokenResult {}

    /** It is signed by a key that is not among those known: the provider may have a new one. */
    record UnknownKey() implements IdTokenResult {}

    /** @param why such as "it is for another service", after "its token is refused: " */
    record Refused(String why) implements IdTokenResult {}

    /** The person did not sign in again, which was required. */
    record NotAnew() implements IdTokenResult {}
}
