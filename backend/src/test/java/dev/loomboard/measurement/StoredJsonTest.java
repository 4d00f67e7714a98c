package dev.loomboard.measurement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loomboard.kernel.FieldChecks;
import dev.loomboard.measurement.StoredJson.Document;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.exc.ValueInstantiationException;
import tools.jackson.databind.json.JsonMapper;

/** What is refused in an upload is read in a stored document. */
final class StoredJsonTest {

    private static final JsonMapper UPLOAD =
            JsonMapper.builder().addModule(Checked.module()).build();

    @Test
    void document_of_an_older_agent_is_read_though_an_upload_of_it_is_refused() {
        String steady = "{\"criterion\": \"warm/1\", \"verdict\": \"drift\", \"warmupMs\": 14000}";
        SteadyState read = StoredJson.read(steady, SteadyState.class);
        assertThat(read.verdict()).isEqualTo(Steadiness.DRIFT);
        assertThat(read.phases()).isEmpty();
        assertThatThrownBy(() -> UPLOAD.readValue(steady, SteadyState.class))
                .isInstanceOf(ValueInstantiationException.class)
                .hasRootCauseInstanceOf(FieldChecks.Refused.class)
                .hasRootCauseMessage("phases is missing");
    }

    @Test
    void facts_that_this_version_does_not_know_are_kept_as_they_were_sent() {
        String json = "{\"heapMiB\":512,\"moons\":[1,2.50]}";
        Document<TrialStart> start = Document.of(json, TrialStart.class);
        assertThat(start.read().heapMiB()).isEqualTo(512);
        assertThat(start.read().commandLine()).isEmpty();
        assertThat(JsonMapper.shared().readTree(JsonMapper.shared().writeValueAsString(start)))
                .isEqualTo(JsonMapper.shared().readTree(json));
    }

    @Test
    void empty_document_says_nothing() {
        TrialEnd end = StoredJson.read("{}", TrialEnd.class);
        assertThat(end.startupMs()).isNull();
        assertThat(end.search()).isNull();
        assertThat(end.missing()).isEmpty();
        assertThat(end.gcProof()).isEmpty();
    }

    @Test
    void unknown_word_of_a_newer_agent_is_no_word() {
        String contention = "{\"contention\": {\"source\": \"crystal\", \"monitorTotal\": 3}}";
        TrialEnd.Contention read = Objects.requireNonNull(
                StoredJson.read(contention, TrialEnd.class).contention());
        assertThat(read.monitorTotal()).isEqualTo(3);
        assertThat(read.monitorVirtual()).isNull();
    }
}
