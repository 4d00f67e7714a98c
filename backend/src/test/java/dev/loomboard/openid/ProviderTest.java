package dev.loomboard.openid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loomboard.kernel.StartupRefusal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ProviderTest {

    private static final Provider REMOTE = Provider.of("https://login.example.org/realm/", "id", "", "");
    private static final Provider LOCAL = Provider.of("http://127.0.0.1:9000", "id", "", "");

    @Test
    void without_an_issuer_there_is_none() {
        assertThat(Provider.of("", "", "", "Example").configured()).isFalse();
        assertThatThrownBy(() -> Provider.of("", "id", "", ""))
                .isInstanceOf(StartupRefusal.class)
                .hasMessageContaining("LOOMBOARD_OPENID_ISSUER is not");
        assertThatThrownBy(() -> Provider.of("https://login.example.org", "", "", ""))
                .isInstanceOf(StartupRefusal.class)
                .hasMessageContaining("LOOMBOARD_OPENID_CLIENT_ID is not");
    }

    @Test
    void name_is_the_host_unless_one_is_given() {
        assertThat(REMOTE.name()).isEqualTo("login.example.org");
        assertThat(Provider.of("https://login.example.org", "id", "", "Example").name())
                .isEqualTo("Example");
        assertThatThrownBy(() -> Provider.of("https://login.example.org", "id", "", "x".repeat(41)))
                .isInstanceOf(StartupRefusal.class);
        assertThatThrownBy(() -> Provider.of("https://login.example.org", "id", "", "a\u202Eb"))
                .isInstanceOf(StartupRefusal.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "login.example.org",
                "http://login.example.org",
                "ftp://login.example.org",
                "https://",
                "https:login",
                "https://user@login.example.org",
                "https://login.example.org?a=b",
                "https://login.example.org#a",
                "http://127.0.0.1.example.org",
                "http://localhost.example.org",
                "https://login example org"
            })
    void issuer_is_an_address_by_https(String issuer) {
        assertThatThrownBy(() -> Provider.of(issuer, "id", "", ""))
                .isInstanceOf(StartupRefusal.class)
                .hasMessageContaining("LOOMBOARD_OPENID_ISSUER is " + issuer);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"http://localhost:9000/realm", "http://127.0.0.1:9000", "http://[::1]:9000", "https://a.example"
            })
    void issuer_on_this_machine_may_do_without(String issuer) {
        assertThat(Provider.of(issuer, "id", "", "").configured()).isTrue();
    }

    @Test
    void document_lies_where_the_standard_says() {
        assertThat(REMOTE.discovery()).hasToString("https://login.example.org/realm/.well-known/openid-configuration");
        assertThat(LOCAL.discovery()).hasToString("http://127.0.0.1:9000/.well-known/openid-configuration");
    }

    @Test
    void document_must_name_the_issuer_exactly() {
        assertThat(ProviderDocument.of(REMOTE, described(REMOTE)).secretInBody())
                .isFalse();
        for (Object issuer : new Object[] {"https://login.example.org/realm", "https://evil.example.org", 7}) {
            Map<String, Object> other = described(REMOTE);
            other.put("issuer", issuer);
            assertThatThrownBy(() -> ProviderDocument.of(REMOTE, other)).hasMessageContaining("must be exactly that");
        }
        Map<String, Object> without = described(REMOTE);
        without.remove("issuer");
        assertThatThrownBy(() -> ProviderDocument.of(REMOTE, without)).hasMessageContaining("names itself null");
    }

    @Test
    void secrets_go_nowhere_in_the_clear() {
        for (String name : List.of("authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint")) {
            for (Object address : new Object[] {
                "http://login.example.org/x", "http://127.0.0.1/x", "/x", "javascript:alert(1)", "", 7,
            }) {
                Map<String, Object> json = described(REMOTE);
                json.put(name, address);
                assertThatThrownBy(() -> ProviderDocument.of(REMOTE, json))
                        .as("%s %s", name, address)
                        .hasMessageContaining("its " + name + " is no address by https");
            }
        }
        Map<String, Object> local = described(LOCAL);
        local.put("token_endpoint", "http://login.example.org/x");
        assertThatThrownBy(() -> ProviderDocument.of(LOCAL, local)).hasMessageContaining("token_endpoint");
        local.put("token_endpoint", "http://localhost:1/x");
        assertThat(ProviderDocument.of(LOCAL, local).token()).hasToString("http://localhost:1/x");
    }

    @Test
    void secret_goes_into_the_body_where_the_header_is_not_taken() {
        Map<String, Object> json = described(REMOTE);
        json.put("token_endpoint_auth_methods_supported", List.of("client_secret_post", "private_key_jwt"));
        assertThat(ProviderDocument.of(REMOTE, json).secretInBody()).isTrue();
        json.put("token_endpoint_auth_methods_supported", List.of("client_secret_post", "client_secret_basic"));
        assertThat(ProviderDocument.of(REMOTE, json).secretInBody()).isFalse();
    }

    private static Map<String, Object> described(Provider provider) {
        return new HashMap<>(Map.of(
                "issuer", provider.issuer(),
                "authorization_endpoint", "https://login.example.org/authorize",
                "token_endpoint", "https://login.example.org/token",
                "jwks_uri", "https://keys.example.org/keys",
                "userinfo_endpoint", "https://login.example.org/person"));
    }
}
