package dev.loomboard.openid;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a provider says of itself (OpenID Connect Discovery 1.0, section 3): as much as is used.
 *
 * @param authorization where browsers are sent
 * @param token where a code is redeemed
 * @param keys the public keys by which it signs
 * @param userInfo what it knows of a person; null: it does not say
 * @param namesItself whether its answers name it (RFC 9207)
 * @param secretInBody whether the client's secret goes into the body, since it does not take it in a header
 */
record ProviderDocument(
        URI authorization, URI token, URI keys, @Nullable URI userInfo, boolean namesItself, boolean secretInBody) {

    private static final List<String> BY_DEFAULT = List.of("client_secret_basic");

    /** Refuses a document of somebody else, and one that would have secrets sent in the clear. */
    static ProviderDocument of(Provider provider, Map<String, Object> json) {
        if (!provider.issuer().equals(json.get("issuer"))) {
            throw new IllegalArgumentException("it names itself " + json.get("issuer")
                    + ", and LOOMBOARD_OPENID_ISSUER must be exactly that: " + provider.issuer());
        }
        List<?> methods =
                json.get("token_endpoint_auth_methods_supported") instanceof List<?> named ? named : BY_DEFAULT;
        return new ProviderDocument(
                endpoint(provider, json, "authorization_endpoint"),
                endpoint(provider, json, "token_endpoint"),
                endpoint(provider, json, "jwks_uri"),
                json.containsKey("userinfo_endpoint") ? endpoint(provider, json, "userinfo_endpoint") : null,
                Boolean.TRUE.equals(json.get("authorization_response_iss_parameter_supported")),
                !methods.contains("client_secret_basic") && methods.contains("client_secret_post"));
    }

    private static URI endpoint(Provider provider, Map<String, Object> json, String name) {
        Object value = json.get(name);
        try {
            URI address = new URI(value instanceof String text ? text : "");
            if (provider.mayUse(address) && address.getRawFragment() == null) {
                return address;
            }
        } catch (URISyntaxException e) {
            // said below
        }
        throw new IllegalArgumentException("its " + name + " is no address by https: " + value);
    }
}
