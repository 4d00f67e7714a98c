package dev.loomboard.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.loomboard.cell.AdmittedSql;
import dev.loomboard.cell.Visibility;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.kit.Cast;
import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.Service;
import dev.loomboard.kit.WebTest;
import dev.loomboard.web.ProblemException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A run that was measured here goes out as a bundle and comes back elsewhere, with every number the same. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class BundleTest extends WebTest {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Pattern ID = Pattern.compile("\\b(run|trl|cel|mac|mtx|ser)_[a-z2-7]{20}\\b");

    @TempDir
    Path folder;

    private RecordedRun measured;
    private byte[] bundle;

    @BeforeAll
    void measure() {
        measured = new RecordedRun(database, client, "bundled", "public");
        bundle = export(client, measured.id);
    }

    @Test
    void every_number_of_an_imported_run_is_that_of_where_it_came_from() {
        String imported = imported(workspace(), bundle, Visibility.PUBLIC);
        assertThat(same(client, "/runs/" + imported + ".json"))
                .isEqualTo(same(client, "/runs/" + measured.id + ".json"));
        String verdicts = same(client, "/runs/" + imported + "/verdicts.json");
        assertThat(verdicts)
                .isEqualTo(same(client, "/runs/" + measured.id + "/verdicts.json"))
                .contains("fails more");
        assertThat(withoutIds(get(client, "/runs/" + imported + ".csv")))
                .isEqualTo(withoutIds(get(client, "/runs/" + measured.id + ".csv")));
        List<String> trials = trialsOf(imported);
        assertThat(trials).hasSameSizeAs(measured.trials);
        for (int i = 0; i < trials.size(); i++) {
            String here = "/trials/" + trials.get(i);
            String there = "/trials/" + measured.trials.get(i);
            assertThat(same(client, here + ".json")).as("trial %d", i + 1).isEqualTo(same(client, there + ".json"));
            assertThat(get(client, here + ".csv")).isEqualTo(get(client, there + ".csv"));
        }
        assertThat(get(client, "/trials/" + trials.get(11) + "/artefacts/stacks.txt"))
                .isEqualTo(get(client, "/trials/" + measured.trials.get(11) + "/artefacts/stacks.txt"));
        assertThat(board(imported)).isEqualTo(board(measured.id));
    }

    @Test
    void run_that_was_imported_and_is_exported_again_differs_in_stated_fields_alone() {
        byte[] again = export(as(Role.MEMBER), imported(Cast.CLOSED, bundle, Visibility.PRIVATE));
        Map<String, byte[]> first = Zips.members(bundle);
        Map<String, byte[]> second = Zips.members(again);
        assertThat(List.copyOf(second.keySet())).isEqualTo(List.copyOf(first.keySet()));
        ObjectNode one = (ObjectNode) Zips.json(first, MemberNames.MANIFEST);
        ObjectNode other = (ObjectNode) Zips.json(second, MemberNames.MANIFEST);
        assertThat(one.remove("exported")).isNotEqualTo(other.remove("exported"));
        assertThat(other).isEqualTo(one);
        first.remove(MemberNames.MANIFEST);
        first.forEach((name, content) -> assertThat(Zips.text(Objects.requireNonNull(second.get(name))))
                .as(name)
                .isEqualTo(Zips.text(content)));
    }

    @Test
    void members_are_read_without_loomboard() {
        Map<String, byte[]> members = Zips.members(bundle);
        JsonNode run = Zips.json(members, MemberNames.RUN);
        assertThat(run.path("trials").size()).isEqualTo(13);
        JsonNode step = Zips.json(members, "trials/002/batch-00003.json").at("/steps/0");
        Histogram response = histogram(step.path("response").asString());
        assertThat(response.getTotalCount()).isEqualTo(step.path("completed").asLong());
        assertThat(response.getValueAtPercentile(50) / 1e6).isBetween(20.0, 21.0);
        String table = Zips.text(Objects.requireNonNull(members.get(MemberNames.TABLE)));
        assertThat(table.lines().findFirst().orElseThrow())
                .startsWith("trial,id,scenario,server,")
                .contains("metric,unit,value");
        assertThat(table.lines().filter(line -> line.startsWith("2,") && line.contains(",response_p50_ms,ms,")))
                .singleElement(STRING)
                .contains(Double.toString(metric(measured.trials.get(1), "response_p50_ms")));
        assertThat(table.lines().filter(line -> line.startsWith("13,"))).hasSize(1); // that never began
    }

    @Test
    void nothing_of_people_is_in_a_bundle() {
        String all = Zips.members(bundle).values().stream().map(Zips::text).collect(Collectors.joining());
        assertThat(all)
                .doesNotContain("acc_", "tok_", "lba_", "agent_key", "createdBy")
                .doesNotContainPattern("[\\w.+-]+@[\\w-]+\\.[a-z]{2,}");
    }

    @Test
    void imported_run_is_marked_and_does_not_rank_until_its_machine_is_admitted() {
        String imported = imported(workspace(), bundle, Visibility.PUBLIC);
        String page = page(client, "/runs/" + imported).text();
        assertThat(page)
                .contains(
                        "Imported, not verified.",
                        measured.id,
                        "with agent test",
                        "no administrator admitted its machine");
        JsonNode run = JSON.readTree(get(client, "/runs/" + imported + ".json"));
        assertThat(run.at("/imported/service").asString()).isEqualTo(service.url());
        assertThat(run.at("/imported/run").asString()).isEqualTo(measured.id);
        assertThat(get(client, "/leaderboard.json?scenario=" + encoded(RecordedRun.scenario())))
                .contains(AdmittedSql.NOT_VERIFIED);
        long machine = number("select machine_id from run where external_id = '" + imported + "'");
        assertThat(number("select count(*) from machine where machine_id = " + machine
                        + " and agent_key_hash is null and revoked_at is not null and admitted_at is"
                        + " null and not reruns"))
                .isOne();
        String machinePage = "/w/" + run.path("workspace").asString() + "/machines/"
                + run.path("machineSlug").asString();
        assertThat(page(client, machinePage).text()).contains("imported", "no agent here owns it");
        assertThat(page(client, "/runs?before=2026-11-23T00:20:01Z").text()).contains("imported");
    }

    @Test
    void same_run_is_imported_once() {
        String workspace = workspace();
        String imported = imported(workspace, bundle, Visibility.PRIVATE);
        assertThat(take(workspace, bundle, Visibility.PRIVATE)).isEqualTo(new ImportResult.Present(imported, true));
        byte[] other = Zips.withJson(bundle, MemberNames.RUN, run -> run.put("title", "Another title"));
        assertThat(take(workspace, other, Visibility.PRIVATE)).isEqualTo(new ImportResult.Present(imported, true));
        assertThat(take("main", bundle, Visibility.PRIVATE)).isEqualTo(new ImportResult.Present(measured.id, false));
        assertThat(number("select count(*) from imported_run where run_id ="
                        + " (select run_id from run where external_id = '" + imported + "')"))
                .isOne();
    }

    @Test
    void imports_at_once_make_one_run() {
        String workspace = workspace();
        long before = number("select count(*) from run");
        List<Object> results = await(Flux.range(0, 4)
                .flatMap(i -> service.bean(BundleImportService.class)
                        .take(key(workspace), "tester", Visibility.PRIVATE, file(bundle))
                        .cast(Object.class)
                        .onErrorResume(
                                ProblemException.class,
                                e -> Mono.just(e.problem().status())))
                .collectList());
        assertThat(results.stream().filter(ImportResult.Imported.class::isInstance))
                .hasSize(1);
        assertThat(results)
                .allMatch(
                        r -> r instanceof ImportResult.Imported || r instanceof ImportResult.Present || r.equals(503));
        assertThat(number("select count(*) from run")).isEqualTo(before + 1);
    }

    @Test
    void runs_of_one_machine_share_its_record_and_their_matrix() {
        String workspace = workspace();
        imported(workspace, bundle, Visibility.PRIVATE);
        String another = ExternalId.random("run").value();
        byte[] second = Zips.withJson(
                Zips.withJson(bundle, MemberNames.RUN, run -> run.put("id", another)),
                MemberNames.MANIFEST,
                manifest -> ((ObjectNode) manifest.path("origin")).put("run", another));
        imported(workspace, second, Visibility.PRIVATE);
        String in = " where workspace_id = " + key(workspace).value();
        assertThat(number("select count(*) from machine" + in)).isOne();
        assertThat(number("select count(*) from matrix" + in)).isOne();
        assertThat(number("select count(*) from run" + in)).isEqualTo(2);
        assertThat(number("select count(*) from machine_host" + in)).isOne();
    }

    @Test
    void build_that_only_a_bundle_knows_is_described_by_it_and_believed_least() {
        byte[] with = Zips.withJson(bundle, MemberNames.RUN, run -> {
            ObjectNode jdk = (ObjectNode) run.at("/jdks/0");
            jdk.put("identity", "a".repeat(64)).put("slug", "claimed-25").put("vendor", "claimed");
            ((ObjectNode) run.at("/cells/0")).put("jdk", "claimed-25");
        });
        imported(workspace(), with, Visibility.PRIVATE);
        assertThat(number("select authority::bigint from jdk_build where slug = 'claimed-25'"))
                .isEqualTo(-1);
        assertThat(number("select count(*) from cell c join jdk_build j using (jdk_build_id) where j.slug ="
                        + " 'claimed-25'"))
                .isOne();
    }

    @Test
    void quota_of_the_workspace_holds_and_nothing_is_left() {
        String workspace = workspace();
        execute("insert into workspace_limit (workspace_id, stored_bytes) values ("
                + key(workspace).value() + ", 1000)");
        assertNothingIsLeft(
                workspace,
                () -> assertThat(take(workspace, bundle, Visibility.PRIVATE)).isInstanceOf(ImportResult.NoRoom.class));
        execute("update workspace_limit set stored_bytes = null, artefact_bytes = 10 where workspace_id = "
                + key(workspace).value());
        assertNothingIsLeft(
                workspace,
                () -> assertThat(take(workspace, bundle, Visibility.PRIVATE)).isInstanceOf(ImportResult.NoRoom.class));
        execute("update workspace_limit set artefact_bytes = null where workspace_id = "
                + key(workspace).value());
        imported(workspace, bundle, Visibility.PRIVATE);
        assertThat(number("select stored_bytes from workspace_usage where workspace_id = "
                        + key(workspace).value()))
                .isEqualTo(number(
                        "select sum(sample_bytes + kept_bytes)::bigint from batch b join trial t using (trial_id)"
                                + " where t.workspace_id = " + key(workspace).value()));
        assertThat(number("select artefact_bytes from workspace_usage where workspace_id = "
                        + key(workspace).value()))
                .isEqualTo(number("select sum(bytes)::bigint from artefact where workspace_id = "
                        + key(workspace).value()));
    }

    @Test
    void what_a_batch_cannot_be_of_its_trial_is_refused_and_nothing_is_left() {
        String workspace = workspace();
        byte[] closed = Zips.withJson(
                bundle, "trials/002/batch-00000.json", batch -> ((ObjectNode) batch.path("start")).remove("jdk"));
        assertNothingIsLeft(
                workspace,
                () -> assertThat(take(workspace, closed, Visibility.PRIVATE))
                        .isInstanceOfSatisfying(
                                ImportResult.Refused.class,
                                r -> assertThat(r.why()).contains("start.jdk")));
    }

    @Test
    void protocol_of_other_phases_under_a_known_name_is_refused() {
        byte[] other = Zips.withJson(
                bundle, MemberNames.RUN, run -> ((ObjectNode) run.at("/spec/phases")).put("settleSeconds", 9));
        assertThat(take(workspace(), other, Visibility.PRIVATE))
                .isInstanceOfSatisfying(
                        ImportResult.Refused.class,
                        r -> assertThat(r.why()).contains("quick/1 stands for other phases"));
    }

    @Test
    void run_that_ends_in_the_future_is_refused() {
        byte[] future = Zips.withJson(
                bundle,
                MemberNames.RUN,
                run -> ((ObjectNode) run.path("course")).put("finishedAt", "2150-01-01T00:00:00Z"));
        assertThat(take(workspace(), future, Visibility.PRIVATE))
                .isInstanceOfSatisfying(
                        ImportResult.Refused.class, r -> assertThat(r.why()).contains("future"));
    }

    @Test
    void run_whose_samples_are_gone_says_so_where_it_is_imported() {
        String workspace = workspace();
        byte[] without = Zips.withJson(
                bundle,
                MemberNames.RUN,
                run -> run.path("trials")
                        .valueStream()
                        .forEach(trial -> ((ObjectNode) trial).put("samplesRemovedAt", "2026-11-23T12:00:00Z")));
        for (int seq = 0; seq < 3; seq++) {
            without = Zips.withJson(without, "trials/002/batch-0000" + seq + ".json", batch -> batch.remove("ticks"));
        }
        String imported = imported(workspace, without, Visibility.PUBLIC);
        JsonNode trial =
                JSON.readTree(get(client, "/trials/" + trialsOf(imported).get(1) + ".json"));
        assertThat(trial.path("trial")
                        .path("samplesRemovedAt")
                        .asString(trial.path("samplesRemovedAt").asString("")))
                .startsWith("2026-11-23T12:00:00");
        assertThat(trial.toString()).contains("response_p50_ms").doesNotContain("\"rss_mib\":{\"value\"");
    }

    // ---- what is asked

    static byte[] export(WebTestClient as, String run) {
        return Objects.requireNonNull(as.get()
                .uri("/api/v1/runs/" + run + "/bundle")
                .exchange()
                .expectStatus()
                .isOk()
                .expectHeader()
                .contentType("application/zip")
                .expectBody()
                .returnResult()
                .getResponseBody());
    }

    private String imported(String workspace, byte[] content, Visibility visibility) {
        ImportResult result = take(workspace, content, visibility);
        assertThat(result).as(String.valueOf(result)).isInstanceOf(ImportResult.Imported.class);
        return ((ImportResult.Imported) result).run();
    }

    private ImportResult take(String workspace, byte[] content, Visibility visibility) {
        return await(service.bean(BundleImportService.class).take(key(workspace), "tester", visibility, file(content)));
    }

    private Path file(byte[] content) {
        try {
            return Files.write(Files.createTempFile(folder, "bundle", ".zip"), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A new one. */
    private String workspace() {
        String slug = ExternalId.random("wsp").value().replace('_', '-');
        execute("insert into workspace (external_id, slug, name) values (new_external_id('wsp'), '" + slug
                + "', 'Other')");
        return slug;
    }

    private WorkspaceId key(String workspace) {
        return new WorkspaceId(number("select workspace_id from workspace where slug = '" + workspace + "'"));
    }

    private void assertNothingIsLeft(String workspace, Runnable refused) {
        long before = rows();
        refused.run();
        assertThat(rows()).isEqualTo(before);
        assertThat(number("select count(*) from machine where workspace_id = "
                        + key(workspace).value()))
                .isZero();
        assertThat(number("select coalesce(sum(stored_bytes + artefact_bytes), 0)::bigint from workspace_usage where"
                        + " workspace_id = "
                        + key(workspace).value()))
                .isZero();
    }

    private long rows() {
        return number(
                "select (select count(*) from run) + (select count(*) from trial) + (select count(*) from batch) +"
                        + " (select count(*) from matrix) + (select count(*) from jdk_build) + (select count(*) from"
                        + " audit_event)");
    }

    private List<String> trialsOf(String run) {
        return await(database.sql(
                        "select external_id from trial where run_id = (select run_id from run where external_id = '"
                                + run + "') order by fencing, position")
                .map(row -> Objects.requireNonNull(row.get(0, String.class)))
                .all()
                .collectList());
    }

    private double metric(String trial, String name) {
        return await(
                database.sql("select value from trial_metric m join trial t using (trial_id) where t.external_id = '"
                                + trial + "' and m.metric = '" + name + "'")
                        .map(row -> Objects.requireNonNull(row.get(0, Double.class)))
                        .one());
    }

    /** What the run's rows of the board say, but for their standing, which depends on who admitted the machine. */
    private String board(String run) {
        return await(database.sql("""
                        select string_agg(jsonb_pretty(e.metrics - 'series') || e.reasons::text || e.trials, ' ' order by c.ordinal) as rows
                          from leaderboard_entry e join cell c using (cell_id)
                         where e.run_id = (select run_id from run where external_id = :run)
                        """)
                        .bind("run", run)
                        .map(row -> Objects.requireNonNull(row.get("rows", String.class)))
                        .one())
                .replaceAll("ser_[a-z2-7]{20}", "series");
    }

    /** The answer without what says where a run is, and with its ids by the order in which they stand in it. */
    private static String same(WebTestClient as, String path) {
        JsonNode answer = JSON.readTree(get(as, path));
        remove(answer, Set.of("workspace", "imported", "matrixSlug", "matrixTitle"));
        return withoutIds(answer.toPrettyString());
    }

    private static void remove(JsonNode node, Set<String> fields) {
        if (node instanceof ObjectNode object) {
            object.remove(fields);
        }
        node.forEach(inner -> remove(inner, fields));
    }

    private static String withoutIds(String text) {
        Map<String, String> seen = new HashMap<>();
        return ID.matcher(text).replaceAll(id -> seen.computeIfAbsent(id.group(), key -> id.group(1) + seen.size()));
    }

    private static String get(WebTestClient as, String path) {
        EntityExchangeResult<byte[]> result = as.get()
                .uri(URI.create(Service.shared().url() + path))
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .returnResult();
        return Zips.text(Objects.requireNonNull(result.getResponseBody()));
    }

    private static Histogram histogram(String base64) {
        try {
            return Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(base64)), 0);
        } catch (DataFormatException e) {
            throw new AssertionError(e);
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
