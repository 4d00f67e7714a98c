package dev.loomboard.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.DatabaseOutage;
import dev.loomboard.kit.OneAtATime;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.StrictJson;
import dev.loomboard.web.request.ErrorAnswers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.RejectedExecutionException;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.codec.json.JacksonJsonDecoder;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.config.EnableWebFlux;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** What happens to a body on its way in, and what a refusal looks like: the real filter, codecs and error place. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@OneAtATime // its faults are logged
final class RequestsTest {

    record Item(String name, int count) {
        Item {
            if (count < 0) {
                throw new IllegalArgumentException("count must not be negative, is " + count);
            }
        }
    }

    record Order(String id, List<Item> items) {}

    enum Colour {
        RED
    }

    record Painted(Colour colour) {}

    @RestController
    static class ProbeApi {
        @PostMapping({"/api/agent/v1/trials/probe", "/api/probe"})
        Mono<String> take(@RequestBody Mono<Order> order) {
            return order.map(o -> o.id() + " " + o.items().size());
        }

        @PostMapping("/form")
        Mono<String> form(ServerWebExchange exchange) {
            return exchange.getFormData()
                    .flatMap(once -> exchange.getFormData().map(again -> "" + again.getFirst("a")));
        }

        @PostMapping("/api/busy")
        Mono<String> busy() {
            return Mono.error(new RejectedExecutionException("the reason inside"));
        }

        @PostMapping("/api/painted")
        Mono<String> paint(@RequestBody Mono<Painted> painted) {
            return painted.map(p -> p.colour().name());
        }

        @PostMapping("/api/broken")
        Mono<String> fail() {
            return Mono.error(new IllegalStateException("the secret inside"));
        }

        @PostMapping("/broken")
        Mono<String> failPage() {
            return Mono.error(new IllegalStateException("the secret inside"));
        }
    }

    @Configuration
    @EnableWebFlux
    static class Beans implements WebFluxConfigurer {
        private static final JsonMapper JSON = StrictJson.mapper();

        @Override
        public void configureHttpMessageCodecs(ServerCodecConfigurer configurer) {
            new CodecConfig().configureHttpMessageCodecs(configurer);
            configurer.defaultCodecs().jacksonJsonDecoder(new JacksonJsonDecoder(JSON));
        }

        @Bean
        JsonMapper json() {
            return JSON;
        }
    }

    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(
            Beans.class,
            ProbeApi.class,
            RequestBodyFilter.class,
            ErrorAnswers.class,
            PageRenderer.class,
            DatabaseOutage.class);
    private final WebTestClient client = WebTestClient.bindToApplicationContext(context)
            .configureClient()
            .responseTimeout(Duration.ofMinutes(2))
            .build();

    @AfterAll
    void close() {
        context.close();
    }

    @Test
    void good_body_arrives_plain_and_gzipped() throws IOException {
        byte[] body = utf8("{\"id\":\"a\",\"items\":[{\"name\":\"n\",\"count\":1}]}");
        send("/api/agent/v1/trials/probe", body, null)
                .expectStatus()
                .isOk()
                .expectBody(String.class)
                .isEqualTo("a 1");
        send("/api/agent/v1/trials/probe", gzip(body), "gzip")
                .expectStatus()
                .isOk()
                .expectBody(String.class)
                .isEqualTo("a 1");
    }

    @Test
    void unknown_field_is_named() {
        problem(
                "{\"id\":\"a\",\"items\":[{\"name\":\"n\",\"count\":1,\"kount\":2}]}",
                422,
                "items[0].kount",
                "is not a known field");
    }

    @Test
    void wrong_type_is_named() {
        problem("{\"id\":\"a\",\"items\":[{\"name\":\"n\",\"count\":\"1\"}]}", 422, "items[0].count", "cannot be read");
        problem("{\"id\":\"a\",\"items\":[{\"name\":\"n\",\"count\":1.5}]}", 422, "items[0].count", "cannot be read");
        problem("{\"id\":7,\"items\":[]}", 422, "id", "cannot be read");
        problem("{\"id\":\"a\",\"items\":[{\"name\":\"n\",\"count\":null}]}", 422, "items[0].count", "cannot be read");
    }

    @Test
    void refusal_of_a_record_is_passed_on_with_its_field() {
        problem(
                "{\"id\":\"a\",\"items\":[{\"name\":\"n\",\"count\":-1}]}",
                422,
                "items[0]",
                "count must not be negative, is -1");
    }

    @Test
    void number_is_not_an_enum_value() {
        send("/api/painted", utf8("{\"colour\":0}"), null)
                .expectStatus()
                .isEqualTo(422)
                .expectBody()
                .jsonPath("$.errors[0].field")
                .isEqualTo("colour");
    }

    @Test
    void malformed_doubled_and_trailing_json_is_refused() {
        for (String bad : List.of(
                "{\"id\":", "{\"id\":\"a\",\"id\":\"b\",\"items\":[]}", "{\"id\":\"a\",\"items\":[", "nonsense")) {
            send("/api/agent/v1/trials/probe", utf8(bad), null)
                    .expectStatus()
                    .isBadRequest()
                    .expectHeader()
                    .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                    .expectBody()
                    .jsonPath("$.type")
                    .isEqualTo("/problems/malformed-json");
        }
        send("/api/agent/v1/trials/probe", utf8("{\"id\":\"a\",\"items\":[]} {}"), null)
                .expectStatus()
                .is4xxClientError();
    }

    @Test
    void truncated_gzip_is_named() throws IOException {
        byte[] whole = gzip(utf8("{\"id\":\"a\",\"items\":[]}" + " ".repeat(10_000)));
        send("/api/agent/v1/trials/probe", Arrays.copyOf(whole, whole.length - 12), "gzip")
                .expectStatus()
                .isBadRequest()
                .expectBody()
                .jsonPath("$.type")
                .isEqualTo("/problems/truncated");
    }

    @Test
    void other_bytes_are_not_gzip() {
        send("/api/agent/v1/trials/probe", utf8("{\"id\":\"a\",\"items\":[]}"), "gzip")
                .expectStatus()
                .isBadRequest()
                .expectBody()
                .jsonPath("$.type")
                .isEqualTo("/problems/not-gzip");
    }

    @Test
    void unknown_encoding_is_refused() {
        send("/api/agent/v1/trials/probe", utf8("{}"), "br").expectStatus().isEqualTo(415);
    }

    @Test
    void bomb_is_cut_off() throws IOException {
        byte[] bomb = gzip(new byte[Math.toIntExact(BodyLimits.BATCH.inflated()) + 1]);
        assertThat(bomb.length).isLessThan(100_000);
        send("/api/agent/v1/trials/probe", bomb, "gzip")
                .expectStatus()
                .isEqualTo(413)
                .expectBody()
                .jsonPath("$.type")
                .isEqualTo("/problems/too-large");
    }

    @Test
    void body_over_the_limit_is_refused_whether_it_says_its_length_or_not() {
        byte[] big = new byte[Math.toIntExact(BodyLimits.BATCH.raw()) + 1];
        new Random(1).nextBytes(big);
        send("/api/agent/v1/trials/probe", big, null).expectStatus().isEqualTo(413);
        send("/api/agent/v1/trials/probe", big, "gzip").expectStatus().isEqualTo(413);
        send("/api/probe", new byte[Math.toIntExact(BodyLimits.CALL.raw()) + 1], null)
                .expectStatus()
                .isEqualTo(413);
        client.post()
                .uri("/api/probe")
                .contentType(MediaType.APPLICATION_JSON)
                .body(reactor.core.publisher.Flux.range(0, 120).map(i -> "x".repeat(10_000)), String.class)
                .exchange()
                .expectStatus()
                .isEqualTo(413);
    }

    @Test
    void form_is_read_as_often_as_it_is_asked_for() {
        client.post()
                .uri("/form")
                .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                .bodyValue("a=b+c&d=e")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody(String.class)
                .isEqualTo("b c");
    }

    @Test
    void form_over_the_limit_is_refused_although_it_does_not_say_its_length() {
        int pieces = Math.toIntExact(BodyLimits.FORM.raw() / 1000) + 1;
        client.post()
                .uri("/form")
                .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                .body(reactor.core.publisher.Flux.range(0, pieces).map(i -> "a=" + "x".repeat(998)), String.class)
                .exchange()
                .expectStatus()
                .isEqualTo(413);
    }

    @Test
    void busy_service_says_when_to_come_back() {
        send("/api/busy", utf8("{}"), null)
                .expectStatus()
                .isEqualTo(503)
                .expectHeader()
                .valueEquals("Retry-After", "5");
    }

    @Test
    void own_failure_tells_nothing_of_the_inside() {
        send("/api/broken", utf8("{}"), null)
                .expectStatus()
                .isEqualTo(500)
                .expectHeader()
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .expectBody(String.class)
                .value(body -> assertThat(body).doesNotContain("secret").contains("/problems/internal"));
    }

    @Test
    void person_gets_a_page_and_htmx_a_fragment() {
        client.post()
                .uri("/broken")
                .exchange()
                .expectStatus()
                .isEqualTo(500)
                .expectHeader()
                .contentType("text/html;charset=UTF-8")
                .expectBody(String.class)
                .value(body -> assertThat(body)
                        .contains("<html")
                        .contains("Something went wrong")
                        .doesNotContain("secret"));
        client.post()
                .uri("/broken")
                .header("HX-Request", "true")
                .exchange()
                .expectStatus()
                .isEqualTo(500)
                .expectBody(String.class)
                .value(body -> assertThat(body).doesNotContain("<html").contains("Something went wrong"));
    }

    private void problem(String json, int status, String field, String message) {
        send("/api/agent/v1/trials/probe", utf8(json), null)
                .expectStatus()
                .isEqualTo(status)
                .expectHeader()
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .expectBody()
                .jsonPath("$.instance")
                .isEqualTo("/api/agent/v1/trials/probe")
                .jsonPath("$.errors[0].field")
                .isEqualTo(field)
                .jsonPath("$.errors[0].message")
                .value(String.class, text -> assertThat(text).contains(message));
    }

    private WebTestClient.ResponseSpec send(
            String path, byte[] body, @org.jspecify.annotations.Nullable String encoding) {
        var request = client.post().uri(path).contentType(MediaType.APPLICATION_JSON);
        if (encoding != null) {
            request.header("Content-Encoding", encoding);
        }
        return request.bodyValue(body).exchange();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] gzip(byte[] plain) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(plain);
        }
        return out.toByteArray();
    }
}
