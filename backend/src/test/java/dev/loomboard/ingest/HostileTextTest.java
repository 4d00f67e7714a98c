package dev.loomboard.ingest;

import static dev.loomboard.ingest.Examples.PLAIN;
import static dev.loomboard.ingest.Examples.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.TestMachine;
import java.io.IOException;
import java.util.List;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Markup in whatever text an agent may choose stays text: on every page, and in the data behind the charts. */
final class HostileTextTest extends UploadWebTest {

    private static final String HOSTILE = "</script><img src=x onerror=alert(1)>'\"&amp;";

    private static final List<String> OF_THE_INVENTORY = List.of(
            "/agentVersion",
            "/host/classLabel",
            "/host/facts/cpu/vendor",
            "/host/facts/placement",
            "/jdks/0/lineage/release/IMPLEMENTOR",
            "/excludedJdks/0/version",
            "/excludedJdks/0/reason",
            "/servers/0/title",
            "/servers/0/framework",
            "/servers/0/workloads/0/declaredDelayParam",
            "/doctor/findings/0/found",
            "/doctor/findings/0/why",
            "/doctor/findings/0/mend",
            "/qualification/cells/0/cell",
            "/qualifications/0/cell",
            "/qualifications/0/faults/0",
            "/qualifications/1/cells/0/cell");

    private static final List<String> OF_THE_START = List.of(
            "/start/agentVersion",
            "/start/collector",
            "/start/commandLine/0",
            "/start/doctor/findings/0/found",
            "/start/doctor/findings/0/why",
            "/start/doctor/findings/0/mend");

    private static final List<String> OF_THE_END = List.of(
            "/steps/0/health/reason",
            "/steps/0/health/cause",
            "/end/reason",
            "/end/gcProof/0/collector",
            "/end/gcProof/0/cause",
            "/end/jvm/clockSource",
            "/end/warmth/0/unmet/0",
            "/end/steady/drift",
            "/end/steady/phases/1/unmet/0",
            "/end/search/why",
            "/end/flags/UseG1GC",
            "/end/missing/host.psi_cpu_some_s");

    @Test
    void markup_of_an_agent_stays_text() throws IOException {
        ObjectNode inventory = (ObjectNode) TestMachine.inventory();
        OF_THE_INVENTORY.forEach(at -> spoil(inventory, at));
        TestMachine.identified((ObjectNode) inventory.at("/jdks/0"));
        object(inventory, "/host/facts").put(HOSTILE, HOSTILE);
        bearer(plan.agentKey().value())
                .put()
                .uri("/api/agent/v1/inventory")
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(PLAIN.writeValueAsString(inventory))
                .exchange()
                .expectStatus()
                .isNoContent();
        stored(send("first", b -> OF_THE_START.forEach(at -> spoil(b, at))));
        stored(send("middle", b -> {}));
        stored(send("last", b -> {
            OF_THE_END.forEach(at -> spoil(b, at));
            object(b, "/end/missing").put(HOSTILE, HOSTILE);
        }));

        shows("/w/main/machines/" + plan.machine().substring(4));
        shows("/trials/" + plan.trial());
        harmless("/machines");
        harmless("/jdks");
        harmless("/runs/" + plan.run());
        for (String twin : List.of("/trials/" + plan.trial() + ".json", "/trials/" + plan.trial() + ".csv")) {
            EntityExchangeResult<byte[]> data = as(Role.OWNER)
                    .get()
                    .uri(twin)
                    .exchange()
                    .expectStatus()
                    .isOk()
                    .expectBody()
                    .returnResult();
            assertThat(data.getResponseHeaders().getContentType())
                    .as(twin)
                    .isNotNull()
                    .satisfies(type -> assertThat(type.isCompatibleWith(MediaType.TEXT_HTML))
                            .isFalse());
            assertThat(data.getResponseHeaders().getFirst("X-Content-Type-Options"))
                    .as(twin)
                    .isEqualTo("nosniff");
        }
    }

    private static void stored(Answer answer) {
        assertThat(answer.status()).as("%s", answer.problem()).isEqualTo(204);
    }

    private void shows(String path) {
        assertThat(harmless(path).text()).as(path).contains("<img src=x onerror=alert(1)>");
    }

    private Document harmless(String path) {
        Document shown = page(as(Role.OWNER), path);
        assertThat(shown.select("img[onerror], [src=x], script:not([src]):not([type=application/json])"))
                .as(path)
                .isEmpty();
        assertThat(shown.select("script[type=application/json]"))
                .as("data of charts on %s", path)
                .allSatisfy(data -> assertThat(PLAIN.readTree(data.data())).isNotNull());
        return shown;
    }

    private static void spoil(JsonNode document, String at) {
        int slash = at.lastIndexOf('/');
        JsonNode parent = document.at(at.substring(0, slash));
        String last = at.substring(slash + 1);
        if (parent instanceof ArrayNode array) {
            array.set(Integer.parseInt(last), HOSTILE);
        } else {
            ((ObjectNode) parent).put(last, HOSTILE);
        }
    }
}
