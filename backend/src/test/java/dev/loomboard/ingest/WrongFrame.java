package dev.loomboard.ingest;

import static dev.loomboard.ingest.Examples.array;
import static dev.loomboard.ingest.Examples.batch;
import static dev.loomboard.ingest.Examples.object;
import static dev.loomboard.ingest.WrongBatch.wrong;

import java.util.stream.Stream;

/** What a batch can have wrong around its load: its head, its start, the readings. */
final class WrongFrame {

    private WrongFrame() {}

    static Stream<WrongBatch> all() {
        return Stream.of(top(), start(), ticks()).flatMap(s -> s);
    }

    private static Stream<WrongBatch> top() {
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
                wrong("seq is negative", "middle", b -> b.put("seq", -1), "seq", "0 to 9999"),
                wrong("seq is too large", "middle", b -> b.put("seq", 10_000), "seq", "0 to 9999"),
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

    private static Stream<WrongBatch> start() {
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

    private static Stream<WrongBatch> ticks() {
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
}
