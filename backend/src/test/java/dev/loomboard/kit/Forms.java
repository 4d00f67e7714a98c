package dev.loomboard.kit;

import java.util.Map;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.util.LinkedMultiValueMap;

/** Sends forms as a browser without scripts does. */
public final class Forms {

    private Forms() {}

    public static EntityExchangeResult<byte[]> send(WebTestClient as, String path, Map<String, String> fields) {
        LinkedMultiValueMap<String, String> form = new LinkedMultiValueMap<>();
        fields.forEach(form::add);
        return as.post()
                .uri(path)
                .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                .bodyValue(form)
                .exchange()
                .expectBody()
                .returnResult();
    }

    /** The status of the answer. */
    public static int status(WebTestClient as, String path, Map<String, String> fields) {
        return send(as, path, fields).getStatus().value();
    }

    /** The path that the answer leads to, or what it is instead. */
    public static String location(EntityExchangeResult<byte[]> answer) {
        var location = answer.getResponseHeaders().getLocation();
        return location == null ? "no redirect, but " + answer.getStatus() : location.getPath();
    }
}
