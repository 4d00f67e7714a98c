package dev.loomboard.runexport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.loomboard.bundle.MemberNames;
import dev.loomboard.bundle.RecordedRun;
import dev.loomboard.bundle.Zips;
import dev.loomboard.kit.WebTest;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/** What is in the bundle of a run, and what is not. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class BundleContentTest extends WebTest {

    private final RecordedRun measured = RecordedRun.shared(database, client);
    private final byte[] bundle = RecordedRun.export(client, measured.id);

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

    private double metric(String trial, String name) {
        return await(
                database.sql("select value from trial_metric m join trial t using (trial_id) where t.external_id = '"
                                + trial + "' and m.metric = '" + name + "'")
                        .map(row -> Objects.requireNonNull(row.get(0, Double.class)))
                        .one());
    }

    private static Histogram histogram(String base64) {
        try {
            return Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(base64)), 0);
        } catch (DataFormatException e) {
            throw new AssertionError(e);
        }
    }
}
