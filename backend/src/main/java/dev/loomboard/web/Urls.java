package dev.loomboard.web;

/** Every path of the service, so that none is written twice. Templates and controllers build links here only. */
public final class Urls {

    private Urls() {}

    public static String home() {
        return "/";
    }

    public static String leaderboard() {
        return "/leaderboard";
    }

    public static String health() {
        return "/api/health";
    }

    public static String signIn() {
        return "/sign-in";
    }

    /** Sign in, then go on to {@code path}, which must be one of our own. */
    public static String signInThen(String path) {
        return "/sign-in?next=" + encode(path);
    }

    public static String signOut() {
        return "/sign-out";
    }

    public static String setup(String token) {
        return "/setup/" + token;
    }

    public static String account() {
        return "/account";
    }

    public static String password() {
        return "/account/password";
    }

    /** The identity of a kind of problem (RFC 9457 {@code type}); a name, not a page. */
    public static String problem(String kind) {
        return "/problems/" + kind;
    }

    private static String encode(String value) {
        return java.net.URLEncoder.encode(value, java.nio.charset.StandardCharsets.UTF_8);
    }
}
