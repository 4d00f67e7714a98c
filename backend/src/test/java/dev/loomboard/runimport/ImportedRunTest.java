package dev.loomboard.runimport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.bundle.MemberNames;
import dev.loomboard.bundle.RecordedRun;
import dev.loomboard.bundle.Zips;
import dev.loomboard.cell.AdmittedSql;
import dev.loomboard.cell.Visibility;
import dev.loomboard.kernel.ExternalId;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What an imported run is here. */
final class ImportedRunTest extends ImportWebTest {

    private static final JsonMapper JSON = JsonMapper.shared();

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
    void pages_of_its_trials_say_that_it_was_imported() {
        String trial =
                trialsOf(imported(workspace(), bundle, Visibility.PUBLIC)).get(1);
        assertThat(page(client, "/trials/" + trial).text())
                .contains(
                        "Imported, not verified. Its run was not measured for this service",
                        measured.id,
                        "with agent test",
                        "no administrator admitted its machine");
        JsonNode said = JSON.readTree(get(client, "/trials/" + trial + ".json")).path("imported");
        assertThat(said.path("service").asString()).isEqualTo(service.url());
        assertThat(said.path("run").asString()).isEqualTo(measured.id);
        String own = "/trials/" + measured.trials.get(1);
        assertThat(page(client, own).text()).doesNotContain("Imported");
        assertThat(JSON.readTree(get(client, own + ".json")).path("imported").isNull())
                .isTrue();
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

    @Test
    void times_of_any_offset_are_taken() {
        String workspace = workspace();
        byte[] far = Zips.withJson(bundle, MemberNames.RUN, run -> {
            ((ObjectNode) run.at("/course/times")).put("createdAt", "2026-11-23T17:00:00+17:00");
            ((ObjectNode) run.at("/hosts/0")).put("since", "2026-11-22T17:00:00+17:00");
            ((ObjectNode) run.at("/trials/12/end")).put("finishedAt", "2026-11-23T17:00:00+17:00");
        });
        imported(workspace, far, Visibility.PRIVATE);
        String in = " and workspace_id = " + key(workspace).value();
        assertThat(number("select count(*) from run where created_at = '2026-11-23T00:00:00Z'" + in))
                .isOne();
        assertThat(number("select count(*) from machine_host where since = '2026-11-22T00:00:00Z'" + in))
                .isOne();
        assertThat(number("select count(*) from trial where finished_at = '2026-11-23T00:00:00Z'" + in))
                .isOne();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
