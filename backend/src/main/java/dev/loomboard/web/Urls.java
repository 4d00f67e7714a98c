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

    public static String compare() {
        return "/compare";
    }

    /** Two JDK builds, cell by cell. */
    public static String compare(String baseline, String candidate) {
        return "/compare?a=" + encode(baseline) + "&b=" + encode(candidate);
    }

    public static String runs() {
        return "/runs";
    }

    public static String run(String id) {
        return "/runs/" + id;
    }

    /** The stream of a run's live parts (server-sent events). */
    public static String runEvents(String id) {
        return "/runs/" + id + "/events";
    }

    public static String trial(String id) {
        return "/trials/" + id;
    }

    public static String series(String id) {
        return "/series/" + id;
    }

    public static String jdks() {
        return "/jdks";
    }

    public static String jdks(int feature) {
        return "/jdks/" + feature;
    }

    public static String jdk(int feature, String slug) {
        return "/jdks/" + feature + "/" + slug;
    }

    public static String methodology() {
        return "/methodology";
    }

    public static String glossary() {
        return "/metrics-glossary";
    }

    /** A metric's entry in the glossary. */
    public static String glossary(String metric) {
        return "/metrics-glossary#" + metric;
    }

    public static String patterns() {
        return "/patterns";
    }

    public static String api() {
        return "/api";
    }

    public static String status() {
        return "/status";
    }

    /** The identity of a kind of problem (RFC 9457 {@code type}); a name, not a page. */
    public static String problem(String kind) {
        return "/problems/" + kind;
    }

    private static String encode(String value) {
        return java.net.URLEncoder.encode(value, java.nio.charset.StandardCharsets.UTF_8);
    }
}
