package dev.loomboard.jdkflags;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.TestMachine;
import dev.loomboard.kit.WebTest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Which builds an agent is asked for, and how much is kept. */
final class JdkFlagTest extends WebTest {

    private final TestMachine machine = TestMachine.registered(as(Role.TOKEN), client, "public");

    @Test
    void flags_are_asked_for_again_when_the_machine_is_another_host() {
        List<String> builds = asked();
        assertThat(builds).hasSizeGreaterThan(1);
        put(builds.getFirst(), "1");
        assertThat(asked()).containsExactlyElementsOf(builds.subList(1, builds.size()));
        execute("update machine set fingerprint_hash = repeat('9', 64) where external_id = '" + machine.id() + "'");
        assertThat(asked()).isEqualTo(builds);
        put(builds.getFirst(), "2");
        assertThat(asked()).doesNotContain(builds.getFirst());
    }

    @Test
    void builds_that_are_gone_or_another_machines_are_not_taken() {
        String build = asked().getFirst();
        execute("update machine_jdk set present = false where agent_slug = '" + build
                + "' and machine_id = (select machine_id from machine where external_id = '" + machine.id() + "')");
        assertThat(asked()).doesNotContain(build);
        bearer(machine.key())
                .put()
                .uri("/api/agent/v1/jdk-flags/{build}", build)
                .bodyValue(flags("1"))
                .exchange()
                .expectStatus()
                .isNotFound();
    }

    @Test
    void oldest_of_a_machine_that_are_too_many_are_forgotten() {
        execute("""
                with made as (
                  insert into jdk_build (slug, identity, vendor, runtime_version, feature, availability, architecture, build_order, lineage,
                                         lineage_hash)
                  select '%1$s-' || i, '%1$s-' || i, 'flags', '28-ea+' || i, 28, 'ea', 'amd64', array[28, i], '{}', 'l'
                    from generate_series(1, %2$d) i returning jdk_build_id, build_order[2] as i),
                had as (
                  insert into machine_jdk (machine_id, jdk_build_id, present, agent_slug)
                  select machine_id, jdk_build_id, false, '%1$s-' || i from made, machine where external_id = '%1$s'
                  returning machine_id, jdk_build_id)
                select 1""".formatted(machine.id(), JdkFlagStore.KEPT));
        execute("""
                insert into machine_jdk_flags (machine_id, jdk_build_id, fingerprint_hash, flags, read_at)
                select h.machine_id, h.jdk_build_id, 'f', '{}', now() - b.build_order[2] * interval '1 minute'
                  from machine_jdk h join machine m using (machine_id) join jdk_build b using (jdk_build_id)
                 where m.external_id = '%s' and not h.present""".formatted(machine.id()));
        put(asked().getFirst(), "1");
        assertThat(kept("count(*)")).isEqualTo(JdkFlagStore.KEPT);
        assertThat(kept("count(*) filter (where b.build_order[2] = " + JdkFlagStore.KEPT + ")"))
                .as("the oldest")
                .isZero();
        execute(
                "delete from machine_jdk_flags where jdk_build_id in (select jdk_build_id from jdk_build where vendor = 'flags')");
        execute(
                "delete from machine_jdk where jdk_build_id in (select jdk_build_id from jdk_build where vendor = 'flags')");
        execute("delete from jdk_build where vendor = 'flags'");
    }

    private long kept(String what) {
        return number("select " + what
                + " from machine_jdk_flags f join machine m using (machine_id) join jdk_build b using (jdk_build_id)"
                + " where m.external_id = '" + machine.id() + "'");
    }

    private List<String> asked() {
        return Objects.requireNonNull(bearer(machine.key())
                        .get()
                        .uri("/api/agent/v1/jdk-flags")
                        .exchange()
                        .expectStatus()
                        .isOk()
                        .expectBody(JdkFlagApi.BuildsWithoutFlags.class)
                        .returnResult()
                        .getResponseBody())
                .builds();
    }

    private void put(String build, String value) {
        bearer(machine.key())
                .put()
                .uri("/api/agent/v1/jdk-flags/{build}", build)
                .bodyValue(flags(value))
                .exchange()
                .expectStatus()
                .isNoContent();
    }

    private static Map<String, Object> flags(String value) {
        return Map.of("flags", Map.of("Some", Map.of("value", value, "kind", "product", "origin", "default")));
    }
}
