package dev.loomboard.openid;

import java.util.regex.Pattern;

/**
 * What a browser brings back from the provider, in the address; anybody can make one up. What is missing is empty.
 *
 * @param error why there is no code, such as {@code access_denied}
 * @param issuer who answers, where the provider says so (RFC 9207)
 */
record ProviderAnswer(String state, String code, String error, String issuer) {

    private static final Pattern KNOWN = Pattern.compile("[a-z_]{1,60}");

    boolean denied() {
        return error.equals("access_denied");
    }

    /** The error for people to quote; nothing where it is none that a provider would send. */
    String errorForPeople() {
        return KNOWN.matcher(error).matches() ? " (" + error + ")" : "";
    }
}
