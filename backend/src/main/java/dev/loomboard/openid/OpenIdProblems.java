package dev.loomboard.openid;

import dev.loomboard.credential.SignUpMode;
import dev.loomboard.web.Problem;
import dev.loomboard.web.ProblemException;

/** Why a sign-in by the provider failed, and what to do. */
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
                "A later sign-in replaced it, or it took more than " + Visit.LIFE.toMinutes()
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
                        provider + " did not allow the sign-in here",
                        "You or " + provider + " declined. Sign in again, or use your password.")
                : problem(
                        403,
                        "openid-refused",
                        provider + " did not sign you in",
                        "Only the operator of this service or of " + provider + " can solve this"
                                + answer.errorForPeople() + ".");
    }

    /** What it answered is not to be trusted. */
    ProblemException untrusted(String why) {
        return problem(
                403,
                "openid-untrusted",
                "The answer of " + provider + " was not accepted",
                "Reason: " + why
                        + ". Sign in again. If this happens again, report it to the operator of this service.");
    }

    ProblemException notAnew() {
        return problem(
                403,
                "openid-not-anew",
                provider + " did not ask for a new sign-in",
                "This step needs a sign-in at " + provider
                        + " in the last minutes. Sign out there and try again, or set a"
                        + " password by the link on the sign-in page.");
    }

    ProblemException somebodyElse() {
        return problem(
                403,
                "openid-somebody-else",
                "This is another person",
                "You are signed in at " + provider + " as another person than the one this account is linked with.");
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
                "Your identity at " + provider
                        + " is linked with another account here, or your account is linked with another"
                        + " identity there. Unlink that first.");
    }

    static ProblemException disabled() {
        return problem(403, "openid-disabled", "This account may not sign in", "Ask the operator of this service.");
    }

    ProblemException taken() {
        return problem(
                409,
                "openid-address-taken",
                "There is an account with your address",
                "An address at " + provider
                        + " alone does not open an account here. Sign in with your password and link the two on your"
                        + " account page. Without a password, ask for a new one on the sign-in page.");
    }

    ProblemException noAddress() {
        return problem(
                422,
                "openid-no-address",
                provider + " does not give your address",
                "An account here needs an e-mail address. Allow " + provider
                        + " to give it, or make an account with a password and link it on your account page.");
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
