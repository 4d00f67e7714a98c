package dev.loomboard.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.Secret;
import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.TestMachine;
import dev.loomboard.kit.WebTest;
import java.util.Objects;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Whose word a JDK build is, which all workspaces share: a machine of another workspace describes none of ours. */
final class JdkCatalogueTest extends WebTest {

    /** A build of a feature release that no other test has. */
    private static ObjectNode build(int feature, String lineageVendor, String vendor, String modules) {
        ObjectNode jdk = (ObjectNode) TestMachine.inventory().get("jdks").get(1);
        jdk.put("slug", vendor + "-" + feature + ".0.3_9-amd64")
                .put("vendor", vendor)
                .put("runtimeVersion", feature + ".0.3+9-LTS")
                .put("feature", feature)
                .put("modulesSha256", modules.repeat(64));
        ((ObjectNode) jdk.get("lineage")).put("vendor", lineageVendor);
        return TestMachine.identified(jdk);
    }

    private static ObjectNode inventory(JsonNode... jdks) {
        ObjectNode inventory = (ObjectNode) TestMachine.inventory();
        inventory.putArray("jdks");
        for (JsonNode jdk : jdks) {
            inventory.withArray("jdks").add(jdk);
        }
        return inventory;
    }

    @Test
    void report_that_does_not_follow_from_its_own_fields_is_refused_with_the_field() {
        String key = registered("main", "public", inventory());
        ObjectNode jdk = build(201, "Adoptium", "temurin", "1");
        refused(
                key,
                jdk.deepCopy().put("libjvmSha256", "a".repeat(64)),
                "jdks[0].identity",
                "must follow from lineage.vendor");
        refused(
                key,
                jdk.deepCopy().put("identity", "a".repeat(64)),
                "jdks[0].identity",
                "must follow from lineage.vendor");
        refused(key, jdk.deepCopy().put("slug", "temurin-202.0.3_9-amd64"), "jdks[0].slug", "temurin-201.0.3_9-amd64");
        refused(
                key,
                jdk.deepCopy().put("availability", "ea"),
                "jdks[0].availability",
                "must follow from runtimeVersion: ga");
        ObjectNode lineage = jdk.deepCopy();
        ((ObjectNode) lineage.get("lineage")).put("compiler", "clang 17");
        refused(key, lineage, "jdks[0].lineage.hash", "must follow from vendor, compiler");
        report(key, jdk).expectStatus().isNoContent();
        String longer =
                "temurin-201.0.3_9-amd64-" + jdk.get("identity").asString().substring(0, 8);
        report(key, jdk.put("slug", longer)).expectStatus().isNoContent();
    }

    @Test
    void private_machine_of_another_workspace_shows_no_build_and_describes_none() {
        ObjectNode poisoned = build(203, "Adoptium", "pwned", "2");
        ((ObjectNode) poisoned.get("lineage")).put("internal", "PRIVATE TEXT");
        String stranger = registered("elsewhere", "private", inventory(TestMachine.identified(poisoned)));
        client.get().uri("/jdks/203").exchange().expectStatus().isNotFound();
        assertThat(page(as(Role.STRANGER), "/jdks/203").text()).contains("pwned");

        ObjectNode truth = build(203, "Adoptium", "temurin", "2");
        assertThat(truth.get("identity")).isEqualTo(poisoned.get("identity"));
        String ours = registered("main", "public", inventory(truth));
        String path = "/jdks/203/temurin-203.0.3_9-amd64";
        assertThat(page(client, path).text()).doesNotContain("pwned", "PRIVATE TEXT", "Machines report");
        assertThat(page(client, "/jdks/203").text()).doesNotContain("pwned");

        report(stranger, poisoned).expectStatus().isNoContent();
        assertThat(page(client, path).text())
                .as("what only a private machine says is its workspace's alone")
                .doesNotContain("pwned", "PRIVATE TEXT");
        Document theirs = page(as(Role.STRANGER), path);
        assertThat(theirs.select(".notice").text()).contains("vendor: pwned; internal: PRIVATE TEXT");
        assertThat(theirs.select(".facts").text()).doesNotContain("PRIVATE TEXT");
        report(ours, truth).expectStatus().isNoContent();
        report(stranger, truth).expectStatus().isNoContent();
        assertThat(page(as(Role.STRANGER), path).select(".notice")).isEmpty();
    }

    @Test
    void later_report_of_a_machine_that_is_as_public_is_a_conflict_and_overwrites_nothing() {
        ObjectNode first = build(205, "Adoptium", "temurin", "3");
        registered("main", "public", inventory(first));
        ObjectNode second = first.deepCopy();
        ((ObjectNode) second.get("lineage")).put("compiler", "gcc 14.9.9");
        registered("main", "public", inventory(TestMachine.identified(second)));
        Document shown = page(client, "/jdks/205/temurin-205.0.3_9-amd64");
        assertThat(shown.select(".notice").text())
                .contains("Machines report different facts about this build", "compiler: gcc 14.9.9");
        assertThat(shown.select(".facts").text()).contains("gcc 14.2.0").doesNotContain("gcc 14.9.9");
        assertThat(JsonMapper.shared()
                        .readTree(Objects.requireNonNull(client.get()
                                .uri("/jdks/205/temurin-205.0.3_9-amd64.json")
                                .exchange()
                                .expectBody()
                                .returnResult()
                                .getResponseBody()))
                        .at("/build/conflicts/0/claims/0")
                        .asString())
                .isEqualTo("compiler: gcc 14.9.9");
    }

    @Test
    void machine_that_is_believed_less_takes_no_name_away() {
        ObjectNode squatter = build(207, "Adoptium", "temurin", "4");
        registered("elsewhere", "public", inventory(squatter));
        assertThat(page(client, "/jdks/207").text()).contains("temurin-207.0.3_9-amd64");
        registered("main", "public", inventory(build(207, "Adoptium", "temurin", "5")));
        assertThat(await(database.sql(
                                "select string_agg(slug, ' ' order by authority) from jdk_build where feature = 207")
                        .map(row -> Objects.requireNonNull(row.get(0, String.class)))
                        .one()))
                .isEqualTo("temurin-207.0.3_9-amd64-"
                        + squatter.get("identity").asString().substring(0, 8) + " temurin-207.0.3_9-amd64");
    }

    // ---- machines

    private void refused(String key, JsonNode jdk, String field, String words) {
        report(key, jdk)
                .expectStatus()
                .isEqualTo(422)
                .expectBody()
                .jsonPath("$.errors[0].field")
                .isEqualTo(field)
                .jsonPath("$.errors[0].message")
                .value(message -> assertThat(String.valueOf(message)).contains(words));
    }

    private WebTestClient.ResponseSpec report(String key, JsonNode jdk) {
        return bearer(key)
                .put()
                .uri("/api/agent/v1/inventory")
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(inventory(jdk))
                .exchange();
    }

    /** The key of its agent. */
    private String registered(String workspace, String visibility, ObjectNode inventory) {
        Secret token = Secret.random("lbr");
        complete(database.sql("""
                        insert into registration_token (external_id, workspace_id, token_hash, last4, machine_slug, machine_name,
                                                        visibility, created_by, expires_at)
                        select new_external_id('reg'), workspace_id, :hash, 'xxxx', 'catalogue', 'Catalogue', :visibility, 'test',
                               now() + interval '1 hour'
                          from workspace where slug = :workspace
                        """)
                .bind("hash", token.hash())
                .bind("visibility", visibility)
                .bind("workspace", workspace)
                .then());
        ObjectNode request = JsonMapper.shared().createObjectNode();
        request.put("token", token.value()).set("inventory", inventory);
        return Objects.requireNonNull(client.post()
                        .uri("/api/agent/v1/register")
                        .contentType(MediaType.APPLICATION_JSON)
                        .bodyValue(request)
                        .exchange()
                        .expectStatus()
                        .isCreated()
                        .expectBody(JsonNode.class)
                        .returnResult()
                        .getResponseBody())
                .get("agentKey")
                .asString();
    }
}
