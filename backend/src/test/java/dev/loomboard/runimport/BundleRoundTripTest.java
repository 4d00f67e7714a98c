package dev.loomboard.runimport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.bundle.MemberNames;
import dev.loomboard.bundle.RecordedRun;
import dev.loomboard.bundle.Zips;
import dev.loomboard.cell.Visibility;
import dev.loomboard.kit.Cast;
import dev.loomboard.kit.Cast.Role;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.WebTestClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A run that was measured here goes out as a bundle and comes back elsewhere, with every number the same. */
final class BundleRoundTripTest extends ImportWebTest {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Pattern ID = Pattern.compile("\\b(run|trl|cel|mac|mtx|ser)_[a-z2-7]{20}\\b");

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
    void operations_of_a_mix_are_those_of_where_they_came_from() {
        String imported = imported(workspace(), bundle, Visibility.PUBLIC);
        String here = trialsOf(imported).get(2);
        String there = measured.trials.get(2);
        JsonNode operations =
                JSON.readTree(get(client, "/trials/" + here + ".json")).path("operations");
        assertThat(operations)
                .hasSize(2)
                .isEqualTo(
                        JSON.readTree(get(client, "/trials/" + there + ".json")).path("operations"));
        assertThat(operations.at("/0/name").asString()).isEqualTo("list");
        assertThat(operations.at("/0/offered").asLong()).isEqualTo(2250);
        assertThat(operations.at("/1/offered").asLong()).isEqualTo(750);
        assertThat(operations.at("/0/metrics/response_p50_ms/value").asDouble())
                .isNotEqualTo(operations.at("/1/metrics/response_p50_ms/value").asDouble());
        assertThat(storedOperations(here)).hasSize(2).isEqualTo(storedOperations(there));
        assertThat(JSON.readTree(get(client, "/runs/" + imported + ".json")).at("/cells/1/operations"))
                .hasSize(2);
    }

    @Test
    void run_that_was_imported_and_is_exported_again_differs_in_stated_fields_alone() {
        byte[] again = RecordedRun.export(as(Role.MEMBER), imported(Cast.CLOSED, bundle, Visibility.PRIVATE));
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
    void compact_bundle_gives_each_number_and_says_what_it_lacks() {
        byte[] compact = RecordedRun.export(client, measured.id, "compact");
        assertThat(compact.length).isLessThan(bundle.length);
        Map<String, byte[]> members = Zips.members(compact);
        assertThat(Zips.json(members, MemberNames.MANIFEST)
                        .at("/exported/compact")
                        .asBoolean())
                .isTrue();
        assertThat(Zips.json(Zips.members(bundle), MemberNames.MANIFEST)
                        .at("/exported/compact")
                        .asBoolean(false))
                .as("of one that lacks nothing")
                .isFalse();
        Set<String> phases = new HashSet<>();
        Set<String> samples = new HashSet<>();
        members.keySet().stream().filter(name -> name.contains("/batch-")).forEach(name -> {
            JsonNode batch = Zips.json(members, name);
            batch.path("windows").forEach(w -> phases.add(w.path("phase").asString()));
            samples.addAll(batch.at("/ticks/columns").propertyNames());
        });
        assertThat(phases).containsExactly("measure");
        assertThat(samples)
                .contains("proc.cpu_s", "proc.rss_bytes")
                .doesNotContain("proc.threads", "jvm.heap_used_bytes");

        String imported = imported(workspace(), compact, Visibility.PUBLIC);
        assertThat(withoutNotices(imported)).isEqualTo(withoutNotices(measured.id));
        assertThat(same(client, "/runs/" + imported + "/verdicts.json"))
                .isEqualTo(same(client, "/runs/" + measured.id + "/verdicts.json"));
        assertThat(withoutIds(get(client, "/runs/" + imported + ".csv")))
                .isEqualTo(withoutIds(get(client, "/runs/" + measured.id + ".csv")));
        assertThat(board(imported)).isEqualTo(board(measured.id));
        assertThat(page(client, "/runs/" + imported).text())
                .contains("came in a compact bundle", "They were measured, and left out.");
        assertThat(page(client, "/runs/" + measured.id).text()).doesNotContain("compact bundle");
        Map<String, byte[]> again = Zips.members(RecordedRun.export(client, imported, "compact"));
        assertThat(Zips.text(Objects.requireNonNull(again.get(MemberNames.RUN))))
                .as("the notice once")
                .isEqualTo(Zips.text(Objects.requireNonNull(members.get(MemberNames.RUN))));
    }

    private String withoutNotices(String run) {
        JsonNode answer = JSON.readTree(same(client, "/runs/" + run + ".json"));
        remove(answer, Set.of("notices"));
        return answer.toPrettyString();
    }

    /** With their histograms. */
    private List<String> storedOperations(String trial) {
        return await(database.sql("""
                        select (to_jsonb(o) - 'trial_id' - 'workspace_id')::text as operation
                          from step_operation o join trial t using (trial_id)
                         where t.external_id = :trial order by o.step, o.operation
                        """)
                .bind("trial", trial)
                .map(row -> Objects.requireNonNull(row.get("operation", String.class)))
                .all()
                .collectList());
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
}
