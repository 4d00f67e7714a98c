package dev.loomboard.runimport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.bundle.RecordedRun;
import dev.loomboard.bundle.Zips;
import dev.loomboard.cell.Visibility;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.kit.Service;
import dev.loomboard.kit.WebTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;

/** Base of the tests that import: a run that was measured here, its bundle, and workspaces that take it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ImportWebTest extends WebTest {

    @TempDir
    Path folder;

    final RecordedRun measured = RecordedRun.shared(database, client);
    final byte[] bundle = RecordedRun.export(client, measured.id);

    final String imported(String workspace, byte[] content, Visibility visibility) {
        ImportResult result = take(workspace, content, visibility);
        assertThat(result).as(String.valueOf(result)).isInstanceOf(ImportResult.Imported.class);
        return ((ImportResult.Imported) result).run();
    }

    final ImportResult take(String workspace, byte[] content, Visibility visibility) {
        return await(service.bean(BundleImportService.class).take(key(workspace), "tester", visibility, file(content)));
    }

    final Path file(byte[] content) {
        try {
            return Files.write(Files.createTempFile(folder, "bundle", ".zip"), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A new one. */
    final String workspace() {
        String slug = ExternalId.random("wsp").value().replace('_', '-');
        execute("insert into workspace (external_id, slug, name) values (new_external_id('wsp'), '" + slug
                + "', 'Other')");
        return slug;
    }

    final WorkspaceId key(String workspace) {
        return new WorkspaceId(number("select workspace_id from workspace where slug = '" + workspace + "'"));
    }

    final List<String> trialsOf(String run) {
        return await(database.sql(
                        "select external_id from trial where run_id = (select run_id from run where external_id = '"
                                + run + "') order by fencing, position")
                .map(row -> Objects.requireNonNull(row.get(0, String.class)))
                .all()
                .collectList());
    }

    static String get(WebTestClient as, String path) {
        EntityExchangeResult<byte[]> result = as.get()
                .uri(URI.create(Service.shared().url() + path))
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .returnResult();
        return Zips.text(Objects.requireNonNull(result.getResponseBody()));
    }
}
