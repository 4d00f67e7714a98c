package dev.loomboard.ingest;

import static dev.loomboard.ingest.Examples.batch;
import static dev.loomboard.ingest.Examples.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.measurement.EncodedHistogram;
import dev.loomboard.measurement.EncodedHistogramTest;
import dev.loomboard.measurement.Ticks;
import dev.loomboard.measurement.Window;
import dev.loomboard.web.ReceivedBody;
import dev.loomboard.web.StrictJson;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Batches that nobody thought of come back as they were sent. Others than each time: {@code -Dloomboard.upload.seed=…}. */
final class RandomUploadTest extends UploadWebTest {

    private static final long SEED = Long.getLong("loomboard.upload.seed", 20261124);

    @Test
    void random_batches_come_back_as_they_were_sent() throws IOException {
        Random random = new Random(SEED);
        assertThat(put("first", b -> {})).isEqualTo(204);
        for (int seq = 1; seq <= 12; seq++) {
            ObjectNode sent = randomBatch(random, seq);
            assertThat(send(plan.agentKey(), seq, gzip(bytes(sent)), true, null).status())
                    .as("seed %d: %s", SEED, sent)
                    .isEqualTo(204);
            BatchReader.Sound read = (BatchReader.Sound)
                    new BatchReader(StrictJson.mapper()).read(plan.trial(), "" + seq, ReceivedBody.plain(bytes(sent)));
            Ticks ticks = Objects.requireNonNull(read.batch().ticks());
            for (Map.Entry<String, List<@Nullable Double>> column :
                    ticks.columns().entrySet()) {
                Double[] stored = await(database.sql(
                                "select value from sample_chunk join trial using (trial_id) where external_id = :t and seq = :s and metric = :m")
                        .bind("t", plan.trial())
                        .bind("s", seq)
                        .bind("m", column.getKey())
                        .map(row -> row.get(0, Double[].class))
                        .one());
                assertThat(Arrays.asList(stored)).as("seed %d", SEED).isEqualTo(column.getValue());
            }
            for (Window window : read.batch().windows()) {
                assertThat(text(
                                        "select encode(response, 'base64') from load_window",
                                        "at_ns = " + window.atNs() + " and trial_id")
                                .replace("\n", ""))
                        .as("seed %d", SEED)
                        .isEqualTo(Objects.requireNonNull(window.times().response())
                                .text());
            }
        }
    }

    private ObjectNode randomBatch(Random random, int seq) {
        ObjectNode batch = batch("middle").put("trialId", plan.trial()).put("seq", seq);
        batch.remove("phases");
        int ticks = random.nextInt(1, 40);
        ArrayNode at = Examples.PLAIN.createArrayNode();
        ArrayNode late = Examples.PLAIN.createArrayNode();
        long time = seq * 100_000_000_000L;
        for (int i = 0; i < ticks; i++) {
            at.add(time += random.nextLong(1, 2_000_000_000L));
            late.add(random.nextLong(1_000_000L));
        }
        ObjectNode columns = Examples.PLAIN.createObjectNode();
        for (String metric : List.of("proc.rss_bytes", "jvm.gc_pause_s", "host.steal_s", "jvm.heap_used_bytes")) {
            ArrayNode values = columns.putArray(metric);
            for (int i = 0; i < ticks; i++) {
                switch (random.nextInt(4)) {
                    case 0 -> values.addNull();
                    case 1 -> values.add(random.nextLong(1L << 53));
                    case 2 -> values.add(0);
                    default -> values.add(random.nextGaussian() * Math.pow(10, random.nextInt(-20, 20)));
                }
            }
        }
        batch.putObject("ticks").set("atNs", at).set("lateNs", late).set("columns", columns);
        ArrayNode windows = batch.putArray("windows");
        for (int i = random.nextInt(5); i >= 0; i--) {
            windows.add(randomWindow(random, seq * 100_000_000_000L + i * 1_000_000_000L));
        }
        return batch;
    }

    private static ObjectNode randomWindow(Random random, long at) {
        Histogram histogram = new Histogram(1, EncodedHistogram.HIGHEST, EncodedHistogram.DIGITS);
        int hits = random.nextInt(200);
        for (int i = 0; i < hits; i++) {
            histogram.recordValue(random.nextLong(EncodedHistogram.HIGHEST));
        }
        String blob = EncodedHistogramTest.encoded(histogram);
        return Examples.PLAIN
                .createObjectNode()
                .put("phase", "measure")
                .put("step", random.nextInt(5))
                .put("atNs", at)
                .put("intended", hits)
                .put("sent", hits)
                .put("completed", hits)
                .put("failed", 0)
                .put("service", blob)
                .put("response", blob)
                .put("lag", blob);
    }
}
