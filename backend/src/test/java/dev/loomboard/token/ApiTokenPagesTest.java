package dev.loomboard.token;

import static dev.loomboard.kit.Cast.Role.OWNER;
import static dev.loomboard.kit.Cast.Role.STRANGER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.Caller.TokenScope;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.Secret;
import dev.loomboard.kit.WebTest;
import dev.loomboard.web.route.Access;
import dev.loomboard.web.route.Routes;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;

final class ApiTokenPagesTest extends WebTest {

    private static final String REGISTER = "/api/v1/machines/registration-tokens";

    @Test
    void token_is_shown_once_does_what_its_scopes_say_and_ends_when_revoked() {
        WebTestClient owner = as(OWNER);
        String name = "nightly " + ExternalId.random("tok");
        EntityExchangeResult<byte[]> made = make(owner, form(name, "90", "run:write"));
        assertThat(made.getStatus().value()).isEqualTo(201);
        assertThat(made.getResponseHeaders().getCacheControl()).isEqualTo("no-store");
        String secret = document(made).select("pre code").text();
        assertThat(Secret.isOf("lbt", secret)).isTrue();
        assertThat(page(owner, "/account/tokens").html()).contains(name).doesNotContain(secret);

        assertThat(status(secret, "/api/v1/runs"))
                .as("admitted, and then refused for its body")
                .isEqualTo(422);
        assertThat(status(secret, REGISTER)).isEqualTo(403);
        bearer(secret)
                .get()
                .uri("/w/main/machines/cast-machine")
                .exchange()
                .expectStatus()
                .isOk();
        assertThat(number("select count(*) from api_token where name = '" + name
                        + "' and expires_at = created_at + interval '90 days' and last_used_at is not null"
                        + " and scopes = '{read,run:write}'"))
                .isEqualTo(1);

        Element row = row(page(owner, "/account/tokens"), name);
        String revoke = row.select("form").attr("action");
        as(STRANGER).post().uri(revoke).exchange().expectStatus().isNotFound();
        owner.post().uri(revoke).exchange().expectStatus().isSeeOther();
        owner.post().uri(revoke).exchange().expectStatus().isNotFound();
        assertThat(status(secret, "/api/v1/runs")).isEqualTo(401);
        assertThat(row(page(owner, "/account/tokens"), name).text()).contains("revoked");
        String id = revoke.split("/")[3];
        assertThat(number("select count(*) from audit_event where subject = '" + id
                        + "' and action in ('token.create', 'token.revoke') and workspace_id is not null"))
                .isEqualTo(2);
    }

    @Test
    void token_is_its_maker_s_and_of_the_owners_of_its_workspace() {
        String name = "private " + ExternalId.random("tok");
        make(as(OWNER), form(name, "7"));
        assertThat(page(as(STRANGER), "/account/tokens").html()).doesNotContain(name);
        Element bootstrap = row(page(as(OWNER), "/account/tokens"), "bootstrap");
        assertThat(bootstrap.select("form"))
                .as("the next start would accept it again")
                .isEmpty();
    }

    @Test
    void what_is_typed_wrong_is_named_and_makes_nothing() {
        WebTestClient owner = as(OWNER);
        long before = number("select count(*) from api_token where created_by is not null");
        MultiValueMap<String, String> elsewhere = form("a name", "90");
        elsewhere.add("workspace", "elsewhere");
        for (MultiValueMap<String, String> wrong : java.util.List.of(
                form(" ", "90"),
                form("x".repeat(81), "90"),
                form("a name", "90", "root"),
                form("a name", "100000"),
                elsewhere)) {
            EntityExchangeResult<byte[]> refused = make(owner, wrong);
            assertThat(refused.getStatus().value()).as("%s", wrong).isEqualTo(422);
            assertThat(document(refused).select("pre code")).isEmpty();
        }
        assertThat(number("select count(*) from api_token where created_by is not null"))
                .isEqualTo(before);
    }

    @Test
    void token_is_good_while_its_maker_owns_the_workspace() {
        Secret token = Secret.random("lbt");
        String maker = ExternalId.random("acc").value();
        execute("insert into account (external_id, email, display_name, password_hash)" + " values ('" + maker + "', '"
                + maker + "@example.org', 'Maker', 'none')");
        complete(database.sql(
                        "insert into api_token (external_id, workspace_id, name, token_hash, last4, scopes, created_by)"
                                + " select :id, workspace_id, 'of a person', :hash, 'none', '{read}', a.account_id"
                                + " from workspace, account a where slug = 'main' and a.external_id = :maker")
                .bind("id", ExternalId.random("tok").value())
                .bind("hash", token.hash())
                .bind("maker", maker)
                .then());
        assertThat(reads(token)).as("of somebody who is no member").isEqualTo(401);
        execute(
                "insert into workspace_member (workspace_id, account_id, role) select workspace_id, account_id, 'member'"
                        + " from workspace, account where slug = 'main' and account.external_id = '" + maker + "'");
        assertThat(reads(token)).as("of a member").isEqualTo(401);
        execute("update workspace_member m set role = 'owner' from account a"
                + " where a.account_id = m.account_id and a.external_id = '" + maker + "'");
        assertThat(reads(token)).as("of an owner").isEqualTo(200);
        execute("update account set disabled_at = now() where external_id = '" + maker + "'");
        assertThat(reads(token)).as("of somebody who was disabled").isEqualTo(401);
    }

    @Test
    void scopes_that_are_offered_are_those_that_the_route_table_asks_for() {
        Set<TokenScope> asked = Routes.ALL.stream()
                .flatMap(route -> route.access().stream())
                .filter(Access.TokenWith.class::isInstance)
                .map(access -> ((Access.TokenWith) access).scope())
                .collect(Collectors.toSet());
        assertThat(asked).isEqualTo(EnumSet.complementOf(EnumSet.of(TokenScope.READ)));
    }

    @Test
    void scopes_keep_the_names_that_are_stored() {
        assertThat(TokenScope.values())
                .extracting(TokenScope::wire)
                .containsExactly("read", "run:write", "machine:register", "schedule:write", "admin");
    }

    private static MultiValueMap<String, String> form(String name, String days, String... scopes) {
        MultiValueMap<String, String> form = new LinkedMultiValueMap<>();
        form.add("name", name);
        form.add("days", days);
        for (String scope : scopes) {
            form.add("scope", scope);
        }
        return form;
    }

    private static EntityExchangeResult<byte[]> make(WebTestClient as, MultiValueMap<String, String> form) {
        return as.post()
                .uri("/account/tokens")
                .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                .bodyValue(form)
                .exchange()
                .expectBody()
                .returnResult();
    }

    private static Element row(Document page, String name) {
        return Objects.requireNonNull(
                page.select("tbody tr:contains(" + name + ")").first(), "no row of " + name);
    }

    private int reads(Secret token) {
        return bearer(token.value())
                .get()
                .uri("/api/health")
                .exchange()
                .expectBody()
                .returnResult()
                .getStatus()
                .value();
    }

    private int status(String secret, String path) {
        return bearer(secret)
                .post()
                .uri(path)
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue("{}")
                .exchange()
                .expectBody()
                .returnResult()
                .getStatus()
                .value();
    }
}
