package dev.loomboard.openid;

import java.util.Map;

/**
 * What a provider says of a person besides who it is.
 *
 * @param email blank: it does not say
 * @param verified whether it says that the person reads mail there
 * @param name blank: it does not say
 */
record Profile(String email, boolean verified, String name) {

    /** Of the claims of an ID token, or of what the provider answers when asked for the person. */
    static Profile of(Map<String, Object> claims) {
        Object verified = claims.get("email_verified");
        String name = text(claims, "name");
        return new Profile(
                text(claims, "email"),
                Boolean.TRUE.equals(verified) || "true".equals(verified), // some write it as a text
                name.isBlank() ? text(claims, "preferred_username") : name);
    }

    /** Its own words first, and of the other what it does not say itself. */
    Profile or(Profile other) {
        return new Profile(
                email.isBlank() ? other.email : email,
                email.isBlank() ? other.verified : verified,
                name.isBlank() ? other.name : name);
    }

    private static String text(Map<String, Object> claims, String name) {
        return claims.get(name) instanceof String text ? text : "";
    }
}
