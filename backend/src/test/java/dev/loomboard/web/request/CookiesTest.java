package dev.loomboard.web.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.web.Cookies;
import dev.loomboard.web.PublicUrl;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.http.HttpCookie;
import org.springframework.http.ResponseCookie;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** How a browser reaches the service decides what its cookies are: the configured address, or else the request. */
final class CookiesTest {

    @ParameterizedTest
    @CsvSource({
        "https://board.example.org, http://10.0.0.7:8080/sign-in, true",
        "HTTPS://board.example.org, http://localhost/, true",
        "'', https://board.example.org/, true",
        "'', http://localhost:8080/, false",
        "http://board.example.org, http://localhost:8080/, false"
    })
    void cookie_and_header_follow_the_public_address(String configured, String asked, boolean secure) {
        ServerWebExchange exchange = passed(configured, MockServerHttpRequest.get(asked));
        ResponseCookie cookie = Cookies.of(exchange, "lb_session", "secret", Duration.ofDays(1));
        assertThat(cookie.isSecure()).isEqualTo(secure);
        assertThat(cookie.getName()).isEqualTo(secure ? "__Host-lb_session" : "lb_session");
        assertThat(cookie.isHttpOnly()).isTrue();
        assertThat(cookie.getPath()).isEqualTo("/");
        assertThat(cookie.getDomain()).as("which __Host- forbids").isNull();
        assertThat(exchange.getResponse().getHeaders().containsHeader("Strict-Transport-Security"))
                .isEqualTo(secure);
    }

    @ParameterizedTest
    @CsvSource({"https://board.example.org, good", "'', planted"})
    void cookie_that_another_host_of_the_domain_could_plant_is_not_read_over_https(String configured, String read) {
        ServerWebExchange exchange = passed(
                configured,
                MockServerHttpRequest.get("http://localhost/")
                        .cookie(new HttpCookie("lb_session", "planted"), new HttpCookie("__Host-lb_session", "good")));
        assertThat(Cookies.value(exchange, "lb_session")).isEqualTo(read);
    }

    private static ServerWebExchange passed(String configured, MockServerHttpRequest.BaseBuilder<?> request) {
        AtomicReference<ServerWebExchange> passed = new AtomicReference<>();
        StepVerifier.create(new SecurityHeadersFilter(new PublicUrl(configured, new StandardEnvironment()))
                        .filter(MockServerWebExchange.from(request), exchange -> {
                            passed.set(exchange);
                            return Mono.empty();
                        }))
                .expectComplete()
                .verify(Duration.ofMinutes(2));
        return Objects.requireNonNull(passed.get());
    }
}
