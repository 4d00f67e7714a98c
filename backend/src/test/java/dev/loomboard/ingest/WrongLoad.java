package dev.loomboard.ingest;

import static dev.loomboard.ingest.Examples.array;
import static dev.loomboard.ingest.Examples.batch;
import static dev.loomboard.ingest.Examples.object;
import static dev.loomboard.ingest.WrongBatch.wrong;

import dev.loomboard.measurement.EncodedHistogramTest;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/** What a batch can have wrong in what it says of the load, and of the end. */
final class WrongLoad {

    private static final String HDR = "is not an HDR histogram in V2 compressed encoding";

    private WrongLoad() {}

    static Stream<WrongBatch> all() {
        return Stream.of(windows(), steps(), end()).flatMap(s -> s);
    }

    private static Stream<WrongBatch> windows() {
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
                                .put(
                                        "serviceFailed",
                                        EncodedHistogramTest.encoded(new org.HdrHistogram.Histogram(1, 1000, 4))),
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

    private static Stream<WrongBatch> steps() {
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

    private static Stream<WrongBatch> end() {
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

    static ObjectNode window(ObjectNode batch) {
        return object(batch, "/windows/0");
    }

    static ObjectNode step(ObjectNode batch) {
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
