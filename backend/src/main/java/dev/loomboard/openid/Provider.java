package dev.loomboard.openid;

import dev.loomboard.kernel.Characters;
import dev.loomboard.kernel.StartupRefusal;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The provider as the operator named it, and who the service is to it.
 *
 * @param issuer exactly as the provider names itself; blank: there is none
 * @param secret blank: the service proves itself by PKCE alone
 * @param name as people know it
 */
record Provider(String issuer, String clientId, String secret, String name) {

    private static final int LONGEST_NAME = 40;
    private static final Pattern LOOPBACK =
            Pattern.compile("localhost|127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}|\\[::1]", Pattern.CASE_INSENSITIVE);

    /** @param name blank: the issuer's host */
    static Provider of(String issuer, String clientId, String secret, String name) {
        if (issuer.isEmpty()) {
            if (!clientId.isEmpty()) {
                throw new StartupRefusal(
                        "LOOMBOARD_OPENID_CLIENT_ID is set, and LOOMBOARD_OPENID_ISSUER is not.",
                        "Set it to the provider's address, or leave both out.");
            }
            return new Provider("", "", "", "");
        }
        URI address = issuer(issuer);
        if (clientId.isEmpty()) {
            throw new StartupRefusal(
                    "LOOMBOARD_OPENID_ISSUER is set, and LOOMBOARD_OPENID_CLIENT_ID is not.",
                    "Set it to the id by which the provider knows this service.");
        }
        if (name.length() > LONGEST_NAME || Characters.deceptive(name) != null) {
            throw new StartupRefusal(
                    "LOOMBOARD_OPENID_NAME is longer than " + LONGEST_NAME + " characters, or has one that misleads.",
                    "Set it to what people call the provider, or leave it out.");
        }
        return new Provider(issuer, clientId, secret, name.isEmpty() ? address.getHost() : name);
    }

    private static URI issuer(String issuer) {
        try {
            URI address = new URI(issuer);
            if (isSafe(address) && address.getRawQuery() == null && address.getRawFragment() == null) {
                return address;
            }
        } catch (URISyntaxException e) {
            // said below, as of every other address that will not do
        }
        throw new StartupRefusal(
                "LOOMBOARD_OPENID_ISSUER is " + issuer + ".",
                "Set it to the provider's address as the provider itself names it, such as https://login.example.org: https"
                        + " (http only for one on the same machine), no query, no fragment.");
    }

    boolean configured() {
        return !issuer.isEmpty();
    }

    /** Where it describes itself. */
    URI discovery() {
        return URI.create(issuer.replaceAll("/+$", "") + "/.well-known/openid-configuration");
    }

    /** Whether secrets may be sent there: by https, or, where the provider is on this machine, within it. */
    boolean mayUse(URI address) {
        return isSafe(address) && ("https".equals(scheme(address)) || "http".equals(scheme(URI.create(issuer))));
    }

    private static boolean isSafe(URI address) {
        String host = address.getHost();
        return host != null
                && address.getRawUserInfo() == null
                && ("https".equals(scheme(address))
                        || ("http".equals(scheme(address))
                                && LOOPBACK.matcher(host).matches()));
    }

    private static String scheme(URI address) {
        return address.getScheme() == null ? "" : address.getScheme().toLowerCase(Locale.ROOT);
    }

    /** Records print their parts; the secret is none to print. */
    @Override
    public String toString() {
        return "Provider " + issuer + " for " + clientId;
    }
}
