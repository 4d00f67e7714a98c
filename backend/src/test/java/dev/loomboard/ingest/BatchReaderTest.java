package dev.loomboard.ingest;

import static dev.loomboard.ingest.Examples.array;
import static dev.loomboard.ingest.Examples.batch;
import static dev.loomboard.ingest.Examples.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.web.Problem;
import dev.loomboard.web.ReceivedBody;
import dev.loomboard.web.StrictJson;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.node.ObjectNode;

/** Everything that an upload can have wrong is refused by the name of the field that has it. */
final class BatchReaderTest {

    private final BatchReader reader = new BatchReader(StrictJson.mapper());

    @TestFactory
    Stream<DynamicTest> refusal_names_its_field() {
        return Stream.of(WrongFrame.all(), WrongLoad.all(), WrongClosed.all(), WrongMix.all())
                .flatMap(all -> all)
                .map(w -> DynamicTest.dynamicTest(w.name() + " → " + w.field(), () -> meet(w)));
    }

    @Test
    void unreadable_body_is_malformed() {
        byte[] whole = bytes(batch("middle"));
        String text = new String(whole, StandardCharsets.UTF_8);
        malformed(Arrays.copyOf(whole, whole.length - 1));
        malformed(Arrays.copyOf(whole, whole.length / 2));
        malformed("{".getBytes(StandardCharsets.UTF_8));
        malformed("not json".getBytes(StandardCharsets.UTF_8));
        malformed((text + "{}").getBytes(StandardCharsets.UTF_8));
        malformed((text + "]").getBytes(StandardCharsets.UTF_8));
        malformed(text.replace("\"fencing\":1", "\"fencing\":NaN").getBytes(StandardCharsets.UTF_8));
        malformed(text.replace("\"fencing\":1", "\"fencing\":1,\"fencing\":1").getBytes(StandardCharsets.UTF_8));
        malformed(new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1});
    }

    @Test
    void body_that_is_no_object_is_refused() {
        for (String body : new String[] {"", "null", "[]", "5", "\"x\"", "[".repeat(5000)}) {
            Problem problem = refused(body.getBytes(StandardCharsets.UTF_8), "1");
            assertThat(problem.status()).as(body).isEqualTo(422);
            assertThat(problem.errors().getFirst().field()).as(body).isEqualTo("(body)");
        }
    }

    @Test
    void huge_number_is_refused_as_infinite() {
        String text = new String(bytes(batch("last")), StandardCharsets.UTF_8).replace("2215.4", "1e999");
        assertThat(refused(text.getBytes(StandardCharsets.UTF_8), "2")
                        .errors()
                        .getFirst()
                        .field())
                .isEqualTo("end.startupMs");
    }

    @Test
    void windows_may_come_out_of_order_because_a_slow_answer_delays_one() {
        ObjectNode batch = batch("middle");
        array(batch, "/windows").add(WrongLoad.window(batch).deepCopy().put("atNs", 1_000_000_000L));
        assertThat(reader.read(Examples.TRIAL, "1", ReceivedBody.plain(bytes(batch))))
                .isInstanceOf(BatchReader.Sound.class);
    }

    private void meet(WrongBatch wrong) {
        ObjectNode batch = batch(wrong.example());
        String seq = batch.get("seq").asString();
        wrong.change().accept(batch);
        Problem problem = refused(bytes(batch), seq);
        assertThat(problem.status()).as("%s", problem).isEqualTo(422);
        assertThat(problem.errors()).hasSize(1);
        assertThat(problem.errors().getFirst().field()).isEqualTo(wrong.field());
        assertThat(problem.errors().getFirst().message()).contains(wrong.message());
    }

    private void malformed(byte[] body) {
        assertThat(refused(body, "1").status()).isEqualTo(400);
    }

    private Problem refused(byte[] body, String seq) {
        BatchReader.Reading reading = reader.read(Examples.TRIAL, seq, ReceivedBody.plain(body));
        assertThat(reading).isInstanceOf(BatchReader.Refused.class);
        return ((BatchReader.Refused) reading).problem();
    }
}
