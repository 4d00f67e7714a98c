package dev.loomboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.Secret;
import dev.loomboard.kit.OneAtATime;
import dev.loomboard.kit.Service;
import dev.loomboard.kit.StoreTest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** The operator's token, over several starts of the service on the same data. */
@OneAtATime
final class BootstrapTokenTest extends StoreTest {

    @Test
    void token_of_the_operator_is_good_while_the_service_is_started_with_it() throws Exception {
        Secret first = Secret.random("lbt");
        Secret second = Secret.random("lbt");
        start(first, first, 201, second, 401);
        start(second, first, 401, second, 201);
        start(first, first, 201, second, 401);
        start(null, first, 401, second, 401);
    }

    private void start(@Nullable Secret configured, Secret one, int ofOne, Secret other, int ofOther) throws Exception {
        String token = configured == null ? "" : configured.value();
        try (ConfigurableApplicationContext service = Service.start(url, "--loomboard.bootstrap-token=" + token)) {
            String address = "http://localhost:" + service.getEnvironment().getProperty("local.server.port");
            assertThat(register(address, one)).isEqualTo(ofOne);
            assertThat(register(address, other)).isEqualTo(ofOther);
        }
    }

    private static int register(String address, Secret token) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address + "/api/v1/machines/registration-tokens"))
                .header("Authorization", "Bearer " + token.value())
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"name\": \"a machine\"}"))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        }
    }
}
