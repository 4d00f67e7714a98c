package dev.loomboard.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseCookie;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;

/** Keeps cookies and sends forms as a browser does, from an address of its own. */
public final class Browser {

    /** What a real one says of itself. */
    public static final String FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

    private final WebTestClient client;
    private final Map<String, String> jar;

    public Browser(WebTestClient client, String address) {
        this(client, address, new HashMap<>());
    }

    private Browser(WebTestClient client, String address, Map<String, String> jar) {
        this.client = client.mutate()
                .defaultHeaders(headers -> headers.set("X-Forwarded-For", address))
                .defaultHeaders(headers -> headers.set(HttpHeaders.USER_AGENT, FIREFOX))
                .build();
        this.jar = jar;
    }

    /** The same one elsewhere: its cookies are shared. */
    public Browser at(String address) {
        return new Browser(client, address, jar);
    }

    /** The value of a cookie that it must have. */
    public String cookie(String name) {
        return Objects.requireNonNull(jar.get(name), name);
    }

    /** Loses the cookies whose names begin so. */
    public void forget(String prefix) {
        jar.keySet().removeIf(name -> name.startsWith(prefix));
    }

    /** A page that must be there. */
    public Document get(String path) {
        EntityExchangeResult<byte[]> result = answer(path);
        assertThat(result.getStatus().value()).as(path).isEqualTo(200);
        return document(result);
    }

    public int status(String path) {
        return answer(path).getStatus().value();
    }

    public EntityExchangeResult<byte[]> answer(String path) {
        EntityExchangeResult<byte[]> result = client.get()
                .uri(path)
                .cookies(cookies -> jar.forEach(cookies::add))
                .exchange()
                .expectBody()
                .returnResult();
        keep(result);
        return result;
    }

    /** Fills in a form of the page {@code formAt}, with its hidden fields. */
    public EntityExchangeResult<byte[]> send(String path, String formAt, Map<String, String> fields) {
        Map<String, String> all = new HashMap<>(fields);
        get(formAt)
                .select("main form[action=" + path + "] input[type=hidden]")
                .forEach(input -> all.putIfAbsent(input.attr("name"), input.attr("value")));
        MultiValueMap<String, String> form = new LinkedMultiValueMap<>();
        all.forEach(form::add);
        EntityExchangeResult<byte[]> result = client.post()
                .uri(path)
                .cookies(cookies -> jar.forEach(cookies::add))
                .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                .bodyValue(form)
                .exchange()
                .expectBody()
                .returnResult();
        keep(result);
        return result;
    }

    public EntityExchangeResult<byte[]> signIn(String email, String password) {
        return send("/sign-in", "/sign-in", Map.of("email", email, "password", password));
    }

    /** Where an answer sends the browser. */
    public static String location(EntityExchangeResult<byte[]> result) {
        assertThat(result.getStatus().value()).as(() -> document(result).text()).isEqualTo(303);
        return Objects.requireNonNull(result.getResponseHeaders().getLocation()).toString();
    }

    public static Document document(EntityExchangeResult<byte[]> result) {
        byte[] body = result.getResponseBody();
        return Jsoup.parse(body == null ? "" : new String(body, StandardCharsets.UTF_8));
    }

    private void keep(EntityExchangeResult<byte[]> result) {
        result.getResponseCookies().forEach((name, cookies) -> {
            ResponseCookie cookie = cookies.getFirst();
            if (cookie.getMaxAge().isZero()) {
                jar.remove(name);
            } else {
                jar.put(name, cookie.getValue());
            }
        });
    }
}
