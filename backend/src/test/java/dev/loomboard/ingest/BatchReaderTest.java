package dev.loomboard.ingest;

import static dev.loomboard.ingest.Examples.array;
import static dev.loomboard.ingest.Examples.batch;
import static dev.loomboard.ingest.Examples.bytes;
import static dev.loomboard.ingest.Examples.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.web.Problem;
import dev.loomboard.web.StrictJson;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.node.ObjectNode;

/** Everything that an upload can have wrong is refused by the name of the field that has it. */
final class BatchReaderTest {

    private final BatchReader reader = new BatchReader(StrictJson.mapper());

    private record Wrong(String name, String example, Consumer<ObjectNode> change, String field, String message) {}

    private static Wrong wrong(String name, String example, Consumer<ObjectNode> change, String field, String message) {
        return new Wrong(name, example, change, field, message);
    }

    private static final String HDR = "is not an HDR histogram in V2 compressed encoding";

    @TestFactory
    Stream<DynamicTest> refusal_names_its_field() {
        return Stream.of(top(), start(), ticks(), windows(), steps(), end())
                .flatMap(s -> s)
                .map(w -> DynamicTest.dynamicTest(w.name() + " → " + w.field(), () -> meet(w)));
    }

    private static Stream<Wrong> top() {
        return Stream.of(
                wrong("unknown field", "middle", b -> b.put("extra", 1), "extra", "not a known field"),
                wrong(
                        "unknown inside",
                        "last",
                        b -> object(b, "/steps/0/health").put("mood", 1),
                        "steps[0].health.mood",
                        "known"),
                wrong(
                        "other schema",
                        "middle",
                        b -> b.put("schema", "loomboard.batch/2"),
                        "schema",
                        "loomboard.batch/1"),
                wrong("no schema", "middle", b -> b.remove("schema"), "schema", "missing"),
                wrong("no trial", "middle", b -> b.remove("trialId"), "trialId", "missing"),
                wrong("other trial", "middle", b -> b.put("trialId", "trl_" + "a".repeat(20)), "trialId", "path"),
                wrong("no id", "middle", b -> b.put("trialId", "x'; drop table trial"), "trialId", "match"),
                wrong("id is a number", "middle", b -> b.put("trialId", 5), "trialId", "a text"),
                wrong("other seq", "middle", b -> b.put("seq", 7), "seq", "path"),
                wrong("seq is missing", "middle", b -> b.remove("seq"), "seq", "whole number"),
                wrong("seq is null", "middle", b -> b.putNull("seq"), "seq", "whole number"),
                wrong("seq is a text", "middle", b -> b.put("seq", "1"), "seq", "whole number"),
                wrong("seq is a fraction", "middle", b -> b.put("seq", 1.5), "seq", "whole number"),
                wrong("seq is negative", "middle", b -> b.put("seq", -1), "seq", "0 to 99999"),
                wrong("seq is too large", "middle", b -> b.put("seq", 100_000), "seq", "0 to 99999"),
                wrong("seq overflows", "middle", b -> b.put("seq", 1L << 40), "seq", "whole number"),
                wrong("fencing is 0", "middle", b -> b.put("fencing", 0), "fencing", "at least 1"),
                wrong("phases is an object", "middle", b -> b.putObject("phases"), "phases", "a list"),
                wrong(
                        "unknown phase",
                        "middle",
                        b -> object(b, "/phases/1").put("phase", "lunch"),
                        "phases[1].phase",
                        "one of"),
                wrong(
                        "phase by number",
                        "middle",
                        b -> object(b, "/phases/1").put("phase", 1),
                        "phases[1].phase",
                        "one of"),
                wrong("gap in phases", "middle", b -> array(b, "/phases").setNull(1), "phases[1]", "null"),
                wrong(
                        "phases go back",
                        "middle",
                        b -> object(b, "/phases/1").put("atNs", 1),
                        "phases[1].atNs",
                        "later"));
    }

    private static Stream<Wrong> start() {
        return Stream.of(
                wrong("first without start", "first", b -> b.remove("start"), "start", "batch 0"),
                wrong(
                        "middle with start",
                        "middle",
                        b -> b.set("start", batch("first").get("start")),
                        "start",
                        "batch 0"),
                wrong("start is a list", "first", b -> b.putArray("start"), "start", "an object"),
                wrong(
                        "anchor is a number",
                        "first",
                        b -> object(b, "/start").put("anchor", 1),
                        "start.anchor",
                        "a text"),
                wrong(
                        "anchor is a word",
                        "first",
                        b -> object(b, "/start").put("anchor", "now"),
                        "start.anchor",
                        "a time"),
                wrong(
                        "anchor in the year 9000",
                        "first",
                        b -> object(b, "/start").put("anchor", "9000-01-01T00:00:00Z"),
                        "start.anchor",
                        "2200"),
                wrong(
                        "short hash",
                        "first",
                        b -> object(b, "/start").put("classHash", "ab"),
                        "start.classHash",
                        "match"),
                wrong("no digest", "first", b -> object(b, "/start").remove("serverDigest"), "start.serverDigest", ""),
                wrong(
                        "U+0000",
                        "first",
                        b -> array(b, "/start/commandLine").set(1, Examples.PLAIN.valueToTree("a\0b")),
                        "start.commandLine[1]",
                        "U+0000"),
                wrong(
                        "heap is a text",
                        "first",
                        b -> object(b, "/start").put("heapMiB", "512"),
                        "start.heapMiB",
                        "number"),
                wrong(
                        "version without end",
                        "first",
                        b -> object(b, "/start").put("agentVersion", "x".repeat(61)),
                        "start.agentVersion",
                        "60"));
    }

    private static Stream<Wrong> ticks() {
        return Stream.of(
                wrong(
                        "column is short",
                        "middle",
                        b -> array(b, "/ticks/columns/proc.rss_bytes").remove(0),
                        "ticks.columns.proc.rss_bytes",
                        "4, has 3"),
                wrong(
                        "lateness is long",
                        "middle",
                        b -> array(b, "/ticks/lateNs").add(1),
                        "ticks.lateNs",
                        "4, has 5"),
                wrong(
                        "unknown metric",
                        "middle",
                        b -> object(b, "/ticks/columns")
                                .set("jvm.mood", array(b, "/ticks/atNs").deepCopy()),
                        "ticks.columns.jvm.mood",
                        "not a metric"),
                wrong(
                        "metric of a trial",
                        "middle",
                        b -> object(b, "/ticks/columns")
                                .set("response_p99_ms", array(b, "/ticks/atNs").deepCopy()),
                        "ticks.columns.response_p99_ms",
                        "not a metric"),
                wrong(
                        "column is null",
                        "middle",
                        b -> object(b, "/ticks/columns").putNull("proc.rss_bytes"),
                        "ticks.columns.proc.rss_bytes",
                        "missing"),
                wrong(
                        "value is NaN",
                        "middle",
                        b -> array(b, "/ticks/columns/proc.rss_bytes").set(2, "NaN"),
                        "ticks.columns.proc.rss_bytes[2]",
                        "finite"),
                wrong(
                        "value is infinite",
                        "middle",
                        b -> array(b, "/ticks/columns/proc.rss_bytes").set(2, "-Infinity"),
                        "ticks.columns.proc.rss_bytes[2]",
                        "finite"),
                wrong(
                        "value is a text",
                        "middle",
                        b -> array(b, "/ticks/columns/proc.rss_bytes").set(2, "12"),
                        "ticks.columns.proc.rss_bytes[2]",
                        "a number"),
                wrong(
                        "value is a flag",
                        "middle",
                        b -> array(b, "/ticks/columns/proc.rss_bytes").set(2, true),
                        "ticks.columns.proc.rss_bytes[2]",
                        "a number"),
                wrong("times go back", "middle", b -> array(b, "/ticks/atNs").set(2, 5L), "ticks.atNs[2]", "later"),
                wrong(
                        "time twice",
                        "middle",
                        b -> array(b, "/ticks/atNs")
                                .set(1, array(b, "/ticks/atNs").get(0)),
                        "ticks.atNs[1]",
                        "later"),
                wrong(
                        "time is negative",
                        "middle",
                        b -> array(b, "/ticks/atNs").set(0, -5L),
                        "ticks.atNs[0]",
                        "at least 0"),
                wrong("time is null", "middle", b -> array(b, "/ticks/atNs").setNull(1), "ticks.atNs[1]", "null"),
                wrong(
                        "time is a fraction",
                        "middle",
                        b -> array(b, "/ticks/atNs").set(1, 2.5),
                        "ticks.atNs[1]",
                        "whole"),
                wrong("no columns", "middle", b -> object(b, "/ticks").remove("columns"), "ticks.columns", "missing"));
    }

    private static Stream<Wrong> windows() {
        return Stream.of(
                wrong("no histogram", "middle", b -> window(b).remove("service"), "windows[0].service", "missing"),
                wrong("histogram is null", "middle", b -> window(b).putNull("lag"), "windows[0].lag", "missing"),
                wrong(
                        "histogram is rubbish",
                        "middle",
                        b -> window(b).put("response", "abcd"),
                        "windows[0].response",
                        HDR),
                wrong(
                        "histogram is a number",
                        "middle",
                        b -> window(b).put("responseFailed", 5),
                        "windows[0].responseFailed",
                        ""),
                wrong(
                        "more digits",
                        "middle",
                        b -> window(b)
                                .put("serviceFailed", HdrTest.encoded(new org.HdrHistogram.Histogram(1, 1000, 4))),
                        "windows[0].serviceFailed",
                        HDR),
                wrong("phase without load", "middle", b -> window(b).put("phase", "gc"), "windows[0].phase", "warmup"),
                wrong(
                        "sent more than intended",
                        "middle",
                        b -> window(b).put("sent", 1001),
                        "windows[0].sent",
                        "0 to 1000"),
                wrong(
                        "failed more than sent",
                        "middle",
                        b -> window(b).put("failed", 1001),
                        "windows[0].failed",
                        "0 to 1000"),
                wrong(
                        "count is missing",
                        "middle",
                        b -> window(b).remove("intended"),
                        "windows[0].intended",
                        "whole number"),
                wrong(
                        "second twice",
                        "middle",
                        b -> array(b, "/windows").add(window(b).deepCopy()),
                        "windows[1].atNs",
                        "twice"),
                wrong("window is a number", "middle", b -> array(b, "/windows").add(5), "windows[1]", "an object"),
                wrong("too many", "middle", b -> repeat(b, 2001), "windows", "at most 2000"));
    }

    private static Stream<Wrong> steps() {
        return Stream.of(
                wrong("rate 0", "last", b -> step(b).put("rate", 0), "steps[0].rate", "above 0"),
                wrong("rate NaN", "last", b -> step(b).put("rate", "NaN"), "steps[0].rate", "finite"),
                wrong("ends before it starts", "last", b -> step(b).put("endNs", 5L), "steps[0].endNs", "later"),
                wrong("no health", "last", b -> step(b).remove("health"), "steps[0].health", "missing"),
                wrong(
                        "unknown validity",
                        "last",
                        b -> object(b, "/steps/0/health").put("validity", "fine"),
                        "steps[0].health.validity",
                        "one of"),
                wrong(
                        "share NaN",
                        "last",
                        b -> object(b, "/steps/0/health").put("cpuShare", "NaN"),
                        "steps[0].health.cpuShare",
                        "finite"),
                wrong(
                        "status count is a text",
                        "last",
                        b -> object(b, "/steps/0/outcomes/statusCodes").put("200", "1"),
                        "steps[0].outcomes.statusCodes.200",
                        "whole number"),
                wrong(
                        "no bytes",
                        "last",
                        b -> object(b, "/steps/0/outcomes").remove("bytesIn"),
                        "steps[0].outcomes.bytesIn",
                        "whole number"),
                wrong("histogram is rubbish", "last", b -> step(b).put("lag", ""), "steps[0].lag", HDR),
                wrong(
                        "step twice",
                        "last",
                        b -> array(b, "/steps").add(step(b).deepCopy()),
                        "steps[1].ordinal",
                        "twice"));
    }

    private static Stream<Wrong> end() {
        return Stream.of(
                wrong(
                        "unknown outcome",
                        "last",
                        b -> object(b, "/end").put("outcome", "great"),
                        "end.outcome",
                        "one of"),
                wrong("wrong number", "last", b -> object(b, "/end").put("batches", 4), "end.batches", "must be 3"),
                wrong("none", "last", b -> object(b, "/end").put("batches", 0), "end.batches", "1 to"),
                wrong("no reasons", "last", b -> object(b, "/end").remove("missing"), "end.missing", "missing"),
                wrong(
                        "reason is null",
                        "last",
                        b -> object(b, "/end/missing").putNull("a"),
                        "end.missing.a",
                        "missing"),
                wrong(
                        "noise infinite",
                        "last",
                        b -> object(b, "/end/noise").put("host.steal_s", "Infinity"),
                        "end.noise.host.steal_s",
                        "finite"),
                wrong(
                        "proof is incomplete",
                        "last",
                        b -> object(b, "/end/gcProof/0").remove("tookNs"),
                        "end.gcProof[0].tookNs",
                        "whole number"),
                wrong(
                        "safepoints is a text",
                        "last",
                        b -> object(b, "/end").put("safepoints", "4"),
                        "end.safepoints",
                        "an object"),
                wrong(
                        "unknown source",
                        "last",
                        b -> object(b, "/end")
                                .putObject("contention")
                                .put("source", "guess")
                                .put("monitorTotal", 1),
                        "end.contention.source",
                        "one of"),
                wrong("U+0000 in a name", "last", b -> object(b, "/end/flags").put("a\0", "1"), "end.flags", "U+0000"));
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
        array(batch, "/windows").add(window(batch).deepCopy().put("atNs", 1_000_000_000L));
        assertThat(reader.read(Examples.TRIAL, "1", bytes(batch))).isInstanceOf(BatchReader.Sound.class);
    }

    private void meet(Wrong wrong) {
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
        BatchReader.Reading reading = reader.read(Examples.TRIAL, seq, body);
        assertThat(reading).isInstanceOf(BatchReader.Refused.class);
        return ((BatchReader.Refused) reading).problem();
    }

    private static ObjectNode window(ObjectNode batch) {
        return object(batch, "/windows/0");
    }

    private static ObjectNode step(ObjectNode batch) {
        return object(batch, "/steps/0");
    }

    private static void repeat(ObjectNode batch, int times) {
        var windows = array(batch, "/windows");
        ObjectNode first = window(batch);
        while (windows.size() < times) {
            windows.add(first);
        }
    }
}
