package dev.loomboard.download;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loomboard.kernel.Digest;
import dev.loomboard.kernel.StartupRefusal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.reactive.config.DelegatingWebFluxConfiguration;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** A release's folder as the service reads it, and what it hands out of that. */
final class DownloadApiTest {

    private static final Duration LONG = Duration.ofMinutes(2);
    private static final String AGENT = "loomboard-agent_1.0_linux_amd64.tar.gz";

    @TempDir
    private Path folder;

    @Test
    void files_of_the_release_come_as_they_are_and_no_others() throws IOException {
        byte[] large = new byte[200_000];
        Arrays.fill(large, (byte) 7);
        Downloads downloads =
                release(Map.of("install.sh", "#!/bin/sh\n".getBytes(StandardCharsets.UTF_8), AGENT, large));
        Files.writeString(folder.resolve("secret.txt"), "not listed");
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.register(DelegatingWebFluxConfiguration.class);
            context.registerBean(DownloadApi.class, () -> new DownloadApi(downloads));
            context.refresh();
            DisposableServer server = HttpServer.create()
                    .host("127.0.0.1")
                    .handle(new ReactorHttpHandlerAdapter(
                            WebHttpHandlerBuilder.applicationContext(context).build()))
                    .bindNow(LONG);
            try {
                handsOut(
                        WebTestClient.bindToServer()
                                .baseUrl("http://127.0.0.1:" + server.port())
                                .responseTimeout(LONG)
                                .build(),
                        large,
                        downloads.sums());
            } finally {
                server.disposeNow(LONG);
            }
        }
        assertThat(downloads.offersAgent()).isTrue();
        assertThat(downloads.file("secret.txt")).isEmpty();
        assertThat(downloads.file("../" + folder.getFileName() + "/install.sh")).isEmpty();
    }

    private static void handsOut(WebTestClient client, byte[] agent, String digest) {
        for (String path : new String[] {"/install.sh", "/downloads/install.sh"}) {
            client.get()
                    .uri(path)
                    .exchange()
                    .expectStatus()
                    .isOk()
                    .expectHeader()
                    .contentTypeCompatibleWith(MediaType.TEXT_PLAIN)
                    .expectBody(String.class)
                    .isEqualTo("#!/bin/sh\n");
        }
        client.get()
                .uri("/downloads/" + AGENT)
                .exchange()
                .expectStatus()
                .isOk()
                .expectHeader()
                .contentType("application/gzip")
                .expectBody(byte[].class)
                .isEqualTo(agent);
        byte[] sums = client.get()
                .uri("/downloads/SHA256SUMS")
                .exchange()
                .expectBody()
                .returnResult()
                .getResponseBody();
        assertThat(hex(sums == null ? new byte[0] : sums)).isEqualTo(digest);
    }

    @Test
    void servers_are_those_of_the_list() throws IOException {
        Downloads downloads = release(
                Map.of("servers.json", "{\"servers\": [{\"name\": \"spring-mvc\"}]}".getBytes(StandardCharsets.UTF_8)));
        assertThat(downloads.servers()).containsExactly("spring-mvc");
        assertThat(downloads.offersAgent()).as("no agent is in it").isFalse();
    }

    @Test
    void list_of_servers_must_be_the_one_that_the_release_lists() throws IOException {
        release(Map.of("servers.json", "{\"servers\": []}".getBytes(StandardCharsets.UTF_8)));
        Files.writeString(folder.resolve("servers.json"), "{\"servers\": [{\"name\": \"another\"}]}");
        assertThatThrownBy(() -> Downloads.of(folder))
                .isInstanceOf(StartupRefusal.class)
                .hasMessageContaining("servers.json is not the file that SHA256SUMS beside it lists");
    }

    @Test
    void publishers_signature_is_handed_out_where_the_release_has_one() throws IOException {
        assertThat(release(Map.of()).file("SHA256SUMS.sig")).isEmpty();
        Files.writeString(folder.resolve("SHA256SUMS.sig"), "signature");
        assertThat(release(Map.of()).file("SHA256SUMS.sig")).contains(folder.resolve("SHA256SUMS.sig"));
    }

    @Test
    void a_service_without_a_release_offers_nothing() {
        assertThat(Downloads.none().offersAgent()).isFalse();
        assertThat(Downloads.none().file("SHA256SUMS")).isEmpty();
    }

    @Test
    void a_folder_that_is_no_releases_is_refused_at_the_start() throws IOException {
        assertThatThrownBy(() -> Downloads.of(folder))
                .isInstanceOf(StartupRefusal.class)
                .hasMessageContaining("SHA256SUMS");
        Files.writeString(folder.resolve("SHA256SUMS"), "0".repeat(64) + "  ../etc/passwd\n");
        assertThatThrownBy(() -> Downloads.of(folder))
                .isInstanceOf(StartupRefusal.class)
                .hasMessageContaining("../etc/passwd");
    }

    private Downloads release(Map<String, byte[]> files) throws IOException {
        StringBuilder sums = new StringBuilder();
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            Files.write(folder.resolve(file.getKey()), file.getValue());
            sums.append(hex(file.getValue())).append("  ").append(file.getKey()).append('\n');
        }
        Files.writeString(folder.resolve("SHA256SUMS"), sums);
        return Downloads.of(folder);
    }

    private static String hex(byte[] content) {
        return HexFormat.of().formatHex(Digest.sha256(content));
    }
}
