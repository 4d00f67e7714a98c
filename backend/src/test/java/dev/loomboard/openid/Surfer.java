package dev.loomboard.openid;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/** Walks over the pages of several sites as a browser does: cookies, redirects, links and forms. */
final class Surfer {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final int MOST_REDIRECTS = 10;

    private final HttpClient client = HttpClient.newBuilder()
            .cookieHandler(new CookieManager())
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    private Document page = new Document("");
    private URI at = URI.create("about:blank");
    private int status;

    Surfer open(String address) {
        return go(HttpRequest.newBuilder(URI.create(address)).GET());
    }

    /** Follows the link with these words. */
    Surfer follow(String words) {
        Element link = Objects.requireNonNull(page.selectFirst("a:contains(" + words + ")"), page.text());
        return open(at.resolve(link.attr("href")).toString());
    }

    /** Fills in the form that leads to a path with that end, and sends it. */
    Surfer send(String actionEnd, Map<String, String> fields) {
        Element form = Objects.requireNonNull(page.selectFirst("form[action$=" + actionEnd + "]"), page.text());
        Map<String, String> all = new HashMap<>();
        form.select("input[type=hidden]").forEach(input -> all.put(input.attr("name"), input.attr("value")));
        all.putAll(fields);
        String body = all.entrySet().stream()
                .map(one -> encoded(one.getKey()) + "=" + encoded(one.getValue()))
                .collect(Collectors.joining("&"));
        return go(HttpRequest.newBuilder(at.resolve(form.attr("action")))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(body)));
    }

    private Surfer go(HttpRequest.Builder request) {
        HttpRequest next =
                request.timeout(TIMEOUT).header("Accept", "text/html").build();
        for (int i = 0; i < MOST_REDIRECTS; i++) {
            HttpResponse<String> answer = answer(next);
            at = next.uri();
            status = answer.statusCode();
            if (status / 100 != 3) {
                page = Jsoup.parse(answer.body());
                return this;
            }
            URI to = at.resolve(answer.headers().firstValue("Location").orElseThrow());
            next = HttpRequest.newBuilder(to)
                    .timeout(TIMEOUT)
                    .header("Accept", "text/html")
                    .build();
        }
        throw new AssertionError("redirected without end, at last to " + at);
    }

    private HttpResponse<String> answer(HttpRequest request) {
        try {
            return client.send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    Surfer sees(int expected, String path, String... words) {
        assertThat(status).as(() -> at + " says " + page.text()).isEqualTo(expected);
        assertThat(at.getPath()).isEqualTo(path);
        for (String word : words) {
            assertThat(page.text()).contains(word);
        }
        return this;
    }

    Document page() {
        return page;
    }

    URI at() {
        return at;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
