package dev.loomboard.openid;

import dev.loomboard.credential.SignUpMode;
import dev.loomboard.web.Problem;
import dev.loomboard.web.ProblemException;

/** Why a way to the provider and back led nowhere, and what to do. */
final class OpenIdProblems {

    private static final String WITH_PASSWORD =
            "If you have an account here, sign in with your password and link it on your account page.";

    private final String provider;

    /** @param provider as people know it */
    OpenIdProblems(String provider) {
        this.provider = provider;
    }

    /** The browser has another cookie, or none: somebody else may have made the link that it followed. */
    static ProblemException begunElsewhere() {
        return problem(
                400,
                "openid-elsewhere",
                "This sign-in did not begin in this browser",
                "Or another one began since, or it took more than " + Visit.LIFE.toMinutes()
                        + " minutes. Sign in again, from the start.");
    }

    static ProblemException over() {
        return problem(
                400,
                "openid-over",
                "This sign-in is over",
                "It was used, or took more than " + Visit.LIFE.toMinutes()
                        + " minutes. Sign in again, from the start.");
    }

    static ProblemException tooMany() {
        return problem(429, "openid-too-many", "Too many sign-ins", "Try again in some minutes.");
    }

    ProblemException refusedThere(ProviderAnswer answer) {
        return answer.denied()
                ? problem(
                        403,
                        "openid-denied",
                        provider + " was told not to sign you in here",
                        "You, or " + provider + " itself, did not agree. Sign in again, or with your password.")
                : problem(
                        403,
                        "openid-refused",
                        provider + " did not sign you in",
                        "It gave a reason that only the operator of this service or of " + provider + " can mend"
                                + answer.errorForPeople() + ".");
    }

    /** What it answered is not to be trusted. */
    ProblemException untrusted(String why) {
        return problem(
                403,
                "openid-untrusted",
                "What " + provider + " says of you is not accepted",
                "Of its answer: " + why + ". Sign in again; if it stays, tell the operator of this service.");
    }

    ProblemException notAnew() {
        return problem(
                403,
                "openid-not-anew",
                provider + " did not ask you anew",
                "It did not say that you signed in there just now, which is needed here. Sign out there first and try again, or get"
                        + " a link to a password where you sign in.");
    }

    ProblemException somebodyElse() {
        return problem(
                403,
                "openid-somebody-else",
                "That is not who is signed in here",
                "At " + provider + " you are somebody else than the one that this account is linked with.");
    }

    static ProblemException signedOut() {
        return problem(
                403, "openid-signed-out", "You are no longer signed in", "Nothing was changed. Sign in and try again.");
    }

    ProblemException linkedElsewhere() {
        return problem(
                409,
                "openid-linked",
                "This cannot be linked",
                "Either another account here is linked with what you are at " + provider
                        + ", or yours is linked with another one there. Unlink that first.");
    }

    static ProblemException disabled() {
        return problem(403, "openid-disabled", "This account may not sign in", "Ask the operator of this service.");
    }

    ProblemException taken() {
        return problem(
                409,
                "openid-address-taken",
                "There is an account with your address",
                "Whoever has an address at " + provider
                        + " is not let into an account here by that alone. Sign in with your password"
                        + " and link it on your account page. Without a password, ask for a new one where you sign in.");
    }

    ProblemException noAddress() {
        return problem(
                422,
                "openid-no-address",
                provider + " does not tell your address",
                "An account here needs an e-mail address. Allow " + provider
                        + " to tell it, or make an account with a password and link it on your account page.");
    }

    ProblemException notOpen(SignUpMode mode) {
        String how = switch (mode) {
            case CLOSED -> "This installation makes no new accounts.";
            case INVITATION ->
                "Accounts are made by invitation: ask an owner of the workspace that you want to work in for a link, open"
                        + " it, and go on from there.";
            case OPEN -> throw new IllegalStateException("everybody may have an account");
        };
        return problem(403, "openid-no-account", "You have no account here", how + " " + WITH_PASSWORD);
    }

    private static ProblemException problem(int status, String kind, String title, String detail) {
        return Problem.of(status, kind, title, detail).asException();
    }
}
