package dev.loomboard.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Results;
import dev.loomboard.kit.WebTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers as they are on the wire: compressed to who takes that, and otherwise the same. */
final class CompressionTest extends WebTest {

    private final Results.Ids ids = Results.shared();
    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void pages_twins_and_files_are_the_same_and_shorter() throws Exception {
        for (String path : List.of(
                Urls.glossary(),
                "/series/" + ids.series() + ".json",
                FrontEnd.file("js/app.js"),
                FrontEnd.file("css/all.css"),
                FrontEnd.file("vendor/chart.umd.min.js"))) {
            HttpResponse<byte[]> plain = get(path, "identity");
            for (int time = 0; time < 2; time++) {
                HttpResponse<byte[]> shorter = get(path, "gzip, br");
                assertThat(encoding(shorter)).as(path).isEqualTo("gzip");
                assertThat(shorter.headers().firstValueAsLong("Content-Length")).hasValue(shorter.body().length);
                assertThat(shorter.body().length).as(path).isLessThan(plain.body().length * 2 / 3);
                assertThat(shorter.headers().allValues("Vary")).as(path).anyMatch(of -> of.contains("Accept-Encoding"));
                assertThat(unpacked(shorter)).as(path).isEqualTo(plain.body());
            }
            assertThat(encoding(plain)).as(path).isEmpty();
            assertThat(plain.headers().allValues("Vary")).as(path).anyMatch(of -> of.contains("Accept-Encoding"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"identity", "br", "gzip;q=0", "gzip; q=0.000, *", "x-gzip"})
    void nobody_gets_what_they_do_not_take(String accepted) throws Exception {
        assertThat(encoding(get(Urls.glossary(), accepted))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "GZIP", "br, gzip;q=0.8", "deflate, gzip;q=1.0, *;q=0.5"})
    void who_takes_it_gets_it(String accepted) throws Exception {
        assertThat(encoding(get(Urls.glossary(), accepted))).isEqualTo("gzip");
    }

    @Test
    void what_is_small_stays_as_it_is() throws Exception {
        HttpResponse<byte[]> answer = get("/robots.txt", "gzip");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(encoding(answer)).isEmpty();
    }

    @Test
    void what_is_known_already_is_not_sent_in_any_encoding() throws Exception {
        String path = "/series/" + ids.series() + ".json";
        String tag = get(path, "identity").headers().firstValue("ETag").orElseThrow();
        HttpResponse<byte[]> again = http.send(
                request(path, "gzip").header("If-None-Match", tag).build(), HttpResponse.BodyHandlers.ofByteArray());
        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
    }

    private HttpResponse<byte[]> get(String path, String accepted) throws IOException, InterruptedException {
        return http.send(request(path, accepted).build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    private HttpRequest.Builder request(String path, String accepted) {
        return HttpRequest.newBuilder(URI.create(service.url() + path))
                .timeout(Duration.ofMinutes(2))
                .header("Accept-Encoding", accepted);
    }

    private static String encoding(HttpResponse<?> answer) {
        return answer.headers().firstValue("Content-Encoding").orElse("");
    }

    private static byte[] unpacked(HttpResponse<byte[]> answer) throws IOException {
        try (GZIPInputStream plain = new GZIPInputStream(new ByteArrayInputStream(answer.body()))) {
            return plain.readAllBytes();
        }
    }
}
