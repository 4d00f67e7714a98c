package dev.loomboard.credential;

/**
 * Who besides the service may say who somebody is, so that people sign in without a password. Package {@code openid} speaks with
 * it; pages here only name it.
 *
 * @param issuer its address; blank: there is none
 * @param name as people know it
 */
public record SignInProvider(String issuer, String name) {

    public static final SignInProvider NONE = new SignInProvider("", "");
}
