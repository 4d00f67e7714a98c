package dev.loomboard.pages;

import dev.loomboard.kit.WebTest;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jsoup.nodes.Document;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;

/** Base of the tests that read pages by their whole path, encoded already. */
abstract class ShownPages extends WebTest {

    final Document shown(WebTestClient as, String path) {
        return document(get(as, path));
    }

    final EntityExchangeResult<byte[]> get(WebTestClient as, String path) {
        return as.get()
                .uri(URI.create(service.url() + path))
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .returnResult();
    }

    final String text(String path) {
        byte[] body = get(client, path).getResponseBody();
        return body == null ? "" : new String(body, StandardCharsets.UTF_8);
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
