package dev.loomboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.WebTest;
import dev.loomboard.web.route.Route;
import dev.loomboard.web.route.Routes;
import java.net.URI;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;

/** Characters that PostgreSQL cannot store, or that deceive, are refused at every address, wherever they stand. */
final class UnstorableTextTest extends WebTest {

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
                                && !route.pattern().getPatternString().startsWith("/api/")),
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
