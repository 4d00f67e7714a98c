package dev.loomboard.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.core.NestedExceptionUtils;
import tools.jackson.databind.json.JsonMapper;

final class ServerOfferTest {

    private static final JsonMapper JSON = JsonMapper.shared();

    private static ServerOffer offer(String fields) {
        return JSON.readValue("""
                {"name": "x", "title": "X", "framework": "none", "digest": null, "variants": [], "workloads": [] %s}
                """.formatted(fields), ServerOffer.class);
    }

    @Test
    void a_server_without_a_jvm_runs_on_any_release_and_says_neither_java_nor_collector() {
        ServerOffer offer = offer(", \"kind\": \"process\"");
        assertThat(offer.hasJvm()).isFalse();
        assertThat(offer.runsOn(8)).isTrue();
        assertThat(JSON.writeValueAsString(offer)).contains("process").doesNotContain("java", "collector");
    }

    @Test
    void a_server_with_a_jvm_says_no_kind() {
        ServerOffer offer = offer(", \"java\": 21, \"collector\": \"G1\"");
        assertThat(offer.hasJvm()).isTrue();
        assertThat(offer.runsOn(20)).isFalse();
        assertThat(offer.runsOn(21)).isTrue();
        assertThat(JSON.writeValueAsString(offer)).doesNotContain("kind");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                ", \"kind\": \"process\", \"java\": 21 | java",
                ", \"kind\": \"process\", \"collector\": \"G1\" | collector",
                ", \"kind\": \"url\" | kind",
                ", \"collector\": \"G1\" | java",
                ", \"java\": 21 | collector"
            })
    void what_does_not_go_together_is_refused(String fields, String field) {
        assertThatThrownBy(() -> offer(fields))
                .satisfies(refused -> assertThat(NestedExceptionUtils.getMostSpecificCause(refused))
                        .hasMessageContaining(field));
    }

    @Test
    void mix_says_its_operations_and_another_workload_none() {
        ServerOffer.WorkloadOffer mix = workload("{\"read\": 9, \"new-visit\": 1}");
        assertThat(mix.operations()).containsExactly(Map.entry("new-visit", 1), Map.entry("read", 9));
        assertThat(JSON.writeValueAsString(workload("null"))).doesNotContain("operations");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | operations must be from 1 to 50",
                "{\"read\": 0} | operations.read must be from 1 to 1000",
                "{\"read\": null} | operations.read must not be null",
                "{\"Read it\": 1} | operations must match"
            })
    void operations_that_are_none_are_refused(String operations, String why) {
        assertThatThrownBy(() -> workload(operations)).rootCause().hasMessageContaining(why);
    }

    private static ServerOffer.WorkloadOffer workload(String operations) {
        return JSON.readValue("""
                {"name": "visits", "version": 1, "params": {}, "declaredDelayParam": null, "operations": %s}
                """.formatted(operations), ServerOffer.WorkloadOffer.class);
    }
}
