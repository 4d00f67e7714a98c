package dev.loomboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.Secret;
import dev.loomboard.kit.ServiceProcess;
import dev.loomboard.kit.Trees;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The operator's token, over several starts of the service on the same data. */
final class BootstrapTokenTest {

    private Path folder = Path.of("target");

    @BeforeEach
    void makeFolder() throws IOException {
        folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "bootstrap-");
    }

    @AfterEach
    void deleteFolder() throws IOException {
        Trees.delete(folder);
    }

    @Test
    void token_of_the_operator_is_good_while_the_service_is_started_with_it() throws Exception {
        Secret first = Secret.random("lbt");
        Secret second = Secret.random("lbt");
        start(first, first, 201, second, 401);
        start(second, first, 401, second, 201);
        start(first, first, 201, second, 401);
        start(null, first, 401, second, 401);
    }

    private void start(
            @org.jspecify.annotations.Nullable Secret configured, Secret one, int ofOne, Secret other, int ofOther)
            throws Exception {
        Map<String, String> settings =
                configured == null ? Map.of() : Map.of("LOOMBOARD_BOOTSTRAP_TOKEN", configured.value());
        try (ServiceProcess service = ServiceProcess.start(folder, settings)) {
            String address = service.awaitAddress();
            assertThat(register(address, one)).isEqualTo(ofOne);
            assertThat(register(address, other)).isEqualTo(ofOther);
            service.stop();
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
