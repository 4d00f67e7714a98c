package dev.loomboard.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.Secret;
import dev.loomboard.kit.Bench;
import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.WebTest;
import dev.loomboard.web.FormToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.client.MultipartBodyBuilder;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.reactive.function.BodyInserters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Bundles as people, scripts and strangers meet them. */
final class BundlePagesTest extends WebTest {

    private static final Path SOUND = Path.of("src/test/resources/fuzz/BundleFuzz/sound.zip");
    private static final MediaType ZIP = new MediaType("application", "zip");

    @Test
    void owner_imports_by_the_form_and_sees_the_run() {
        byte[] bundle = ofAnotherRun();
        assertThat(page(as(Role.OWNER), "/runs").select("a[href=/runs/import]")).hasSize(1);
        assertThat(page(as(Role.MEMBER), "/runs").select("a[href=/runs/import]"))
                .isEmpty();
        assertThat(page(as(Role.OWNER), "/runs/import").select("form[enctype=multipart/form-data] input[type=file]"))
                .hasSize(1);
        EntityExchangeResult<byte[]> sent = send(as(Role.OWNER), "bundle.zip", bundle);
        assertThat(sent.getStatus().value()).isEqualTo(303);
        String run =
                Objects.requireNonNull(sent.getResponseHeaders().getLocation()).getPath();
        assertThat(page(as(Role.OWNER), run).text()).contains("Imported, not verified.");
        client.get().uri(run).exchange().expectStatus().isNotFound(); // private, unless it is said
        client.get().uri(run + "/bundle").exchange().expectStatus().isNotFound();
        assertThat(page(as(Role.OWNER), run).select("a[href=" + run + "/bundle]"))
                .hasSize(1);
        EntityExchangeResult<byte[]> again = send(as(Role.OWNER), "bundle.zip", bundle);
        assertThat(again.getStatus().value()).isEqualTo(422);
        assertThat(document(again).select("#bundle-problem").text())
                .contains("has this run already, imported before: " + run);
    }

    @Test
    void form_says_what_is_wrong() {
        assertThat(problem(send(as(Role.OWNER), "bundle.zip", "no zip".getBytes(StandardCharsets.UTF_8))))
                .contains("cannot be imported: the file is no bundle");
        assertThat(problem(send(as(Role.OWNER), "", new byte[0]))).contains("must be a file");
    }

    @Test
    void form_without_its_token_is_refused() {
        assertThat(send(cookie(cast.ownerSession()), "bundle.zip", ofAnotherRun())
                        .getStatus()
                        .value())
                .isEqualTo(403);
        assertThat(send(client, "bundle.zip", ofAnotherRun()).getStatus().value())
                .isEqualTo(403);
    }

    @Test
    void form_is_believed_by_the_token_in_its_field() {
        Secret session = cast.ownerSession();
        String token = page(browser(session), "/runs/import")
                .select("input[name=_csrf]")
                .attr("value");
        assertThat(send(cookie(session), "bundle.zip", ofAnotherRun(), token)
                        .getStatus()
                        .value())
                .isEqualTo(303);
        assertThat(send(cookie(cast.ownerSession()), "bundle.zip", ofAnotherRun(), token)
                        .getStatus()
                        .value())
                .isEqualTo(403);
    }

    @Test
    void script_imports_by_its_token_and_is_told_what_is_wrong() {
        byte[] bundle = ofAnotherRun();
        JsonNode made = json(post(as(Role.RUN_TOKEN), "?visibility=public", bundle)
                .expectStatus()
                .isCreated());
        String run = made.path("runId").asString();
        assertThat(made.path("url").asString()).isEqualTo("/runs/" + run);
        assertThat(number("select count(*) from audit_event where action = 'run.import' and subject = '" + run + "'"))
                .isOne();
        JsonNode again =
                json(post(as(Role.RUN_TOKEN), "", bundle).expectStatus().isEqualTo(409));
        assertThat(again.path("detail").asString()).contains("has this run already", run);
        JsonNode refused = json(post(as(Role.RUN_TOKEN), "", Arrays.copyOf(bundle, 100))
                .expectStatus()
                .isEqualTo(422));
        assertThat(refused.path("detail").asString()).contains("is no bundle");
        post(as(Role.RUN_TOKEN), "?visibility=secret", bundle).expectStatus().isEqualTo(422);
        client.get()
                .uri("/api/v1/runs/" + run + "/bundle?content=half")
                .exchange()
                .expectStatus()
                .isEqualTo(422);
        post(as(Role.READ_TOKEN), "", bundle).expectStatus().isForbidden();
        post(as(Role.AGENT), "", bundle).expectStatus().isForbidden();
        byte[] exported = RecordedRun.export(client, run);
        assertThat(Zips.members(exported).keySet())
                .isEqualTo(Zips.members(bundle).keySet());
    }

    @Test
    void body_beyond_the_bound_is_refused() {
        post(as(Role.RUN_TOKEN), "", new byte[Math.toIntExact(BundleSizes.FILE + 1)])
                .expectStatus()
                .isEqualTo(413);
        as(Role.RUN_TOKEN)
                .post()
                .uri("/api/v1/bundles")
                .contentType(ZIP)
                .header(HttpHeaders.CONTENT_ENCODING, "gzip")
                .bodyValue(new byte[10])
                .exchange()
                .expectStatus()
                .is4xxClientError();
    }

    @Test
    void run_that_goes_on_or_is_private_has_no_bundle_for_a_stranger() {
        Bench bench = new Bench(database, "bundle-going-on");
        long open = bench.newRun("public");
        long secret = bench.newRun("private");
        execute("update run set state = 'done', finished_at = now() where run_id = " + secret);
        as(Role.STRANGER)
                .get()
                .uri("/runs/" + id(open) + "/bundle")
                .exchange()
                .expectStatus()
                .isEqualTo(409);
        for (String path : new String[] {"/runs/" + id(secret) + "/bundle", "/api/v1/runs/" + id(secret) + "/bundle"}) {
            as(Role.STRANGER).get().uri(path).exchange().expectStatus().isNotFound();
            client.get().uri(path).exchange().expectStatus().isNotFound();
        }
    }

    @Test
    void no_file_is_left_behind() throws IOException {
        long before = files();
        send(as(Role.OWNER), "bundle.zip", ofAnotherRun());
        send(as(Role.OWNER), "bundle.zip", "no zip".getBytes(StandardCharsets.UTF_8));
        post(as(Role.RUN_TOKEN), "", new byte[1000]).expectStatus().isEqualTo(422);
        assertThat(files()).isEqualTo(before);
    }

    private WebTestClient cookie(Secret session) {
        return client.mutate()
                .defaultCookie(FormToken.SESSION_COOKIE, session.value())
                .build();
    }

    private static long files() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(file -> file.getFileName().toString().startsWith("loomboard-bundle"))
                    .count();
        }
    }

    private String id(long run) {
        return await(database.sql("select external_id from run where run_id = " + run)
                .map(row -> Objects.requireNonNull(row.get(0, String.class)))
                .one());
    }

    /** The sound one, as of a run, on a machine, that nobody has imported. */
    private static byte[] ofAnotherRun() {
        try {
            String id = ExternalId.random("run").value();
            return Zips.withJson(
                    Zips.withJson(Files.readAllBytes(SOUND), MemberNames.RUN, run -> {
                        run.put("id", id);
                        ((ObjectNode) run.path("machine"))
                                .put("id", ExternalId.random("mac").value());
                        // Of a matrix of its own: of one that is there already, its visibility would stand.
                        ((ObjectNode) run.path("spec")).put("name", "quick-" + id.substring(4, 12));
                    }),
                    MemberNames.MANIFEST,
                    manifest -> ((ObjectNode) manifest.path("origin")).put("run", id));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String problem(EntityExchangeResult<byte[]> answer) {
        assertThat(answer.getStatus().value()).isEqualTo(422);
        return document(answer).select("#bundle-problem").text();
    }

    private static EntityExchangeResult<byte[]> send(WebTestClient as, String name, byte[] content) {
        return send(as, name, content, null);
    }

    private static EntityExchangeResult<byte[]> send(
            WebTestClient as, String name, byte[] content, @Nullable String token) {
        MultipartBodyBuilder form = new MultipartBodyBuilder();
        if (token != null) {
            form.part("_csrf", token);
        }
        form.part("workspace", "main");
        form.part("visibility", "private");
        form.part("bundle", new ByteArrayResource(content) {
            @Override
            public String getFilename() {
                return name;
            }
        });
        return as.post()
                .uri("/runs/import")
                .contentType(MediaType.MULTIPART_FORM_DATA)
                .body(BodyInserters.fromMultipartData(form.build()))
                .exchange()
                .expectBody()
                .returnResult();
    }

    private static WebTestClient.ResponseSpec post(WebTestClient as, String query, byte[] bundle) {
        return as.post()
                .uri("/api/v1/bundles" + query)
                .contentType(ZIP)
                .bodyValue(bundle)
                .exchange();
    }
}
