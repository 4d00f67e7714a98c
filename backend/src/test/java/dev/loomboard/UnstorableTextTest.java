package dev.loomboard;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Cast;
import dev.loomboard.kit.TestMachine;
import dev.loomboard.kit.WebTest;
import dev.loomboard.web.route.Access;
import dev.loomboard.web.route.Route;
import dev.loomboard.web.route.Routes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** Characters that PostgreSQL cannot store, or that deceive, are refused at every address, wherever they stand. */
final class UnstorableTextTest extends WebTest {

    private static final JsonMapper JSON = JsonMapper.shared();

    private static final String NUL = "a%00b";
    private static final String OVERRIDE = "a%E2%80%AEb";

    /** A sender can make no half of a surrogate pair by percent signs: what is no UTF-8 is read as U+FFFD. */
    private static final String NOT_UTF8 = "%ED%A0%80";

    @TestFactory
    Stream<DynamicTest> query_with_it_is_refused() {
        return each(Routes.ALL.stream(), route -> {
            String path = filled(route, "none");
            for (String query : List.of("?machine=" + NUL, "?a=x&b=" + OVERRIDE, "?" + NUL + "=x")) {
                refused(client.method(route.method()).uri(URI.create(service.url() + path + query)));
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> path_with_it_is_refused() {
        return each(
                Routes.ALL.stream().filter(route -> !filled(route, "x").equals(filled(route, "y"))),
                route -> refused(client.method(route.method()).uri(URI.create(service.url() + filled(route, NUL)))));
    }

    @TestFactory
    Stream<DynamicTest> form_with_it_is_refused() {
        return each( // as a browser sends it, with the form's token in the form
                Routes.ALL.stream()
                        .filter(route -> route.method().equals(HttpMethod.POST)
                                && !route.pattern().getPatternString().startsWith("/api/")
                                && !route.path().equals("/unsubscribe/{link}") // it reads no form
                                && !route.path().equals("/runs/import")), // its form has parts
                route -> {
                    URI uri = URI.create(service.url() + filled(route, "none"));
                    for (String form : List.of("email=" + NUL, "name=x&name=" + OVERRIDE, NUL + "=x")) {
                        refused(client.post()
                                .uri(uri)
                                .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                                .bodyValue(form));
                    }
                });
    }

    /** Routes of the API that take no JSON. */
    private static final Set<String> WITHOUT_JSON = Set.of(
            "POST /api/agent/v1/claim",
            "PUT /api/agent/v1/trials/{trialId}/artefacts/{name}",
            "POST /api/v1/bundles",
            "POST /api/v1/machines/{slug}/retire",
            "POST /api/v1/schedules/{slug}/pause",
            "POST /api/v1/schedules/{slug}/resume",
            "POST /api/v1/schedules/{slug}/run");

    private static final String SCHEDULE =
            "{'title': 'T', 'matrix': 'starter', 'machine': 'cast-machine', 'cron': '0 0 2 * * ?', 'zone': 'UTC', 'jdks': ['25']}";

    /** What each other route takes: JSON, or examples of the contract. */
    private static final Map<String, List<String>> BODIES = Map.ofEntries(
            entry("POST /api/v1/machines/registration-tokens", List.of("{'name': 'Bench', 'visibility': 'public'}")),
            entry("POST /api/v1/machines/{slug}/drain", List.of("{'drain': true}")),
            entry("POST /api/v1/schedules", List.of(SCHEDULE)),
            entry("PUT /api/v1/schedules/{slug}", List.of(SCHEDULE)),
            entry(
                    "POST /api/v1/runs",
                    List.of(
                            "{'matrix': 'starter', 'machine': 'cast-machine', 'jdks': ['25'], 'servers': ['spring-mvc/virtual'], 'workloads': ['io'], 'control': 'a-build', 'priority': 'low'}")),
            entry("POST /api/agent/v1/register", List.of("register-request.json")),
            entry("PUT /api/agent/v1/inventory", List.of("inventory.json")),
            entry("PUT /api/agent/v1/key", List.of("key-request.json")),
            entry("POST /api/agent/v1/runs/{runId}/heartbeat", List.of("heartbeat.json")),
            entry("PUT /api/agent/v1/jdk-progress", List.of("jdk-progress.json")),
            entry("PUT /api/agent/v1/jdk-flags/{build}", List.of("jdk-flags.json")),
            entry("POST /api/agent/v1/runs/{runId}/complete", List.of("completion.json")),
            entry(
                    "PUT /api/agent/v1/trials/{trialId}/batches/{seq}",
                    List.of("batch-first.json", "batch-middle.json", "batch-last.json", "batch-closed.json")));

    /** Each text of each body in turn, sent by one who may; whatever else is right, it is refused and named. */
    @TestFactory
    Stream<DynamicTest> json_body_with_it_is_refused_and_the_field_named() {
        Leased leased = leased();
        return Routes.ALL.stream()
                .filter(route -> route.path().startsWith("/api/")
                        && !route.method().equals(HttpMethod.GET)
                        && !WITHOUT_JSON.contains(route.toString()))
                .flatMap(route -> BODIES.getOrDefault(route.toString(), List.of("no body here")).stream()
                        .map(body -> DynamicTest.dynamicTest(
                                route + " " + body, () -> refusesEachText(route, leased.in(body(body)), leased))));
    }

    private void refusesEachText(Route route, ObjectNode body, Leased leased) {
        WebTestClient caller = route.access().contains(Access.AGENT)
                ? bearer(leased.key())
                : route.access().contains(Access.ANYONE) ? client : as(Cast.Role.ADMIN_TOKEN);
        String path = route.path()
                .replace("{runId}", leased.run())
                .replace("{trialId}", leased.trial())
                .replace("{seq}", body.path("seq").asString())
                .replace("{slug}", "cast-schedule")
                .replace("{build}", "any-build");
        for (JsonPointer text : texts(body, JsonPointer.empty())) {
            ObjectNode spoilt = body.deepCopy();
            String value = "a\0" + body.at(text).asString();
            switch (spoilt.at(text.head())) {
                case ArrayNode list -> list.set(text.last().getMatchingIndex(), StringNode.valueOf(value));
                case JsonNode object -> ((ObjectNode) object).put(text.last().getMatchingProperty(), value);
            }
            EntityExchangeResult<String> answer = caller.method(route.method())
                    .uri(path)
                    .contentType(MediaType.APPLICATION_JSON)
                    .bodyValue(spoilt.toString())
                    .exchange()
                    .expectBody(String.class)
                    .returnResult();
            assertThat(answer.getStatus().is4xxClientError())
                    .as("%s of %s at %s: %s", answer.getStatus(), route, text, answer.getResponseBody())
                    .isTrue();
            assertThat(named(answer.getResponseBody()))
                    .as("fields named by %s for %s", route, text)
                    .anySatisfy(field ->
                            assertThat(text.toString().replace('.', '/') + "/").startsWith(field + "/"));
        }
    }

    /** Fields at fault as JSON pointers. */
    private static List<String> named(@Nullable String problem) {
        return JSON.readTree(problem)
                .path("errors")
                .valueStream()
                .map(error -> "/"
                        + error.path("field")
                                .asString()
                                .replace("[", "/")
                                .replace("]", "")
                                .replace('.', '/'))
                .toList();
    }

    private static List<JsonPointer> texts(JsonNode node, JsonPointer at) {
        List<JsonPointer> found = new ArrayList<>();
        if (node.isString()) {
            found.add(at);
        }
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            found.addAll(texts(node.get(i), at.appendIndex(i)));
        }
        node.properties().forEach(field -> found.addAll(texts(field.getValue(), at.appendProperty(field.getKey()))));
        return found;
    }

    private static ObjectNode body(String body) {
        try {
            return (ObjectNode) JSON.readTree(
                    body.endsWith(".json") ? Files.readString(Path.of("api/examples", body)) : body.replace('\'', '"'));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A run that an agent works on, to which its uploads belong. */
    private record Leased(String key, String run, String trial, long fencing) {

        /** The body as it must be for this run. */
        ObjectNode in(ObjectNode body) {
            if (body.has("fencing")) {
                body.put("fencing", fencing);
            }
            if (body.has("trialId")) {
                body.put("trialId", trial);
            }
            return body;
        }
    }

    private Leased leased() {
        WebTestClient script = as(Cast.Role.TOKEN);
        TestMachine machine = TestMachine.registered(script, client, "private");
        script.post()
                .uri("/api/v1/runs")
                .bodyValue(Map.of("matrix", "starter", "machine", machine.slug(), "jdks", List.of("25")))
                .exchange()
                .expectStatus()
                .isCreated();
        JsonNode work = json(bearer(machine.key())
                .post()
                .uri("/api/agent/v1/claim?waitSeconds=0")
                .exchange()
                .expectStatus()
                .isOk());
        return new Leased(
                machine.key(),
                work.get("runId").asString(),
                work.at("/trials/0/trialId").asString(),
                work.get("fencing").asLong());
    }

    @TestFactory
    Stream<DynamicTest> empty_parameter_of_the_api_is_not_taken_as_absent() {
        return each(
                Routes.ALL.stream()
                        .filter(route -> route.pattern().getPatternString().startsWith("/api/")),
                route -> {
                    for (String query : List.of("?limit=", "?limit", "?machine=x&limit=")) {
                        client.method(route.method())
                                .uri(URI.create(service.url() + filled(route, "none") + query))
                                .exchange()
                                .expectStatus()
                                .isEqualTo(422)
                                .expectBody()
                                .jsonPath("$.errors[0].field")
                                .isEqualTo("limit");
                    }
                });
    }

    @Test
    void empty_field_of_a_page_s_form_is_absent() {
        client.get().uri("/regressions?machine=&jdk=").exchange().expectStatus().isOk();
    }

    @Test
    void bytes_that_are_no_text_are_no_fault_of_the_service() {
        for (String path : List.of("/runs/", "/regressions?machine=", "/api/v1/runs?machine=")) {
            int status = client.get()
                    .uri(URI.create(service.url() + path + NOT_UTF8))
                    .exchange()
                    .expectBody()
                    .returnResult()
                    .getStatus()
                    .value();
            assertThat(status).as(path).isLessThan(500);
        }
    }

    @Test
    void time_that_the_database_does_not_know_is_refused() {
        for (String time :
                List.of("%2B999999999-12-31T23:59:59Z", "-999999999-01-01T00:00:00Z", "1066-10-14T09:00:00Z")) {
            for (String path : List.of("/runs", "/runs.json")) {
                client.get()
                        .uri(URI.create(service.url() + path + "?before=" + time))
                        .exchange()
                        .expectStatus()
                        .isEqualTo(422);
            }
        }
    }

    private static void refused(WebTestClient.RequestHeadersSpec<?> request) {
        request.exchange()
                .expectStatus()
                .isEqualTo(422)
                .expectBody(String.class)
                .value(body -> assertThat(body).contains("must not contain U+"));
    }

    private static Stream<DynamicTest> each(Stream<Route> routes, Consumer<Route> test) {
        return routes.map(route -> DynamicTest.dynamicTest(route.toString(), () -> test.accept(route)));
    }

    private static String filled(Route route, String value) {
        return route.pattern().getPatternString().replaceAll("\\{[^}]+}|\\*\\*", value);
    }
}
