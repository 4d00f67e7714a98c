package dev.loomboard.ingest;

import static dev.loomboard.ingest.Examples.object;
import static dev.loomboard.ingest.WrongBatch.wrong;
import static dev.loomboard.ingest.WrongLoad.step;
import static dev.loomboard.ingest.WrongLoad.window;

import java.util.stream.Stream;

/** What a batch can have of the one kind of load where it is of the other. */
final class WrongClosed {

    private WrongClosed() {}

    /** What an open step must have, a closed one must not, and the other way round. */
    static Stream<WrongBatch> all() {
        String why = "no hit of a closed load has an intended send time";
        return Stream.of(
                wrong("open without response", "last", b -> step(b).remove("response"), "steps[0].response", "missing"),
                wrong("open without lag", "last", b -> step(b).remove("lag"), "steps[0].lag", "missing"),
                wrong("open without rate", "last", b -> step(b).remove("rate"), "steps[0].rate", "missing"),
                wrong(
                        "open without the generator's lag",
                        "last",
                        b -> object(b, "/steps/0/health").remove("lagP99Ns"),
                        "steps[0].health.lagP99Ns",
                        "missing"),
                wrong(
                        "open with a rate found",
                        "last",
                        b -> object(b, "/steps/0/outcomes").put("throughputPerSecond", 990),
                        "steps[0].outcomes.throughputPerSecond",
                        "left out"),
                wrong("open and closed", "last", b -> step(b).put("connections", 5), "steps[0].rate", why),
                wrong(
                        "closed with response",
                        "closed",
                        b -> step(b).set("response", step(b).get("service")),
                        "steps[0].response",
                        why),
                wrong(
                        "closed with failed responses",
                        "closed",
                        b -> step(b).set("responseFailed", step(b).get("service")),
                        "steps[0].responseFailed",
                        why),
                wrong(
                        "closed with lag",
                        "closed",
                        b -> step(b).set("lag", step(b).get("service")),
                        "steps[0].lag",
                        why),
                wrong(
                        "closed with the generator's lag",
                        "closed",
                        b -> object(b, "/steps/0/health").put("lagP99Ns", 0),
                        "steps[0].health.lagP99Ns",
                        why),
                wrong(
                        "closed without what it found",
                        "closed",
                        b -> object(b, "/steps/0/outcomes").remove("completedInStep"),
                        "steps[0].outcomes.throughputPerSecond",
                        "missing"),
                wrong(
                        "closed with an excess",
                        "closed",
                        b -> step(b).set("excess", step(b).get("service")),
                        "steps[0].excess",
                        why),
                wrong(
                        "more completed in the step than at all",
                        "last",
                        b -> object(b, "/steps/0/outcomes").put("completedInStep", 1004),
                        "steps[0].outcomes.completedInStep",
                        "from 3 to 1003"),
                wrong(
                        "a head of no second",
                        "last",
                        b -> object(b, "/steps/0/outcomes/head").put("seconds", 0),
                        "steps[0].outcomes.head.seconds",
                        "from 1 to"),
                wrong(
                        "a deadline of nothing",
                        "last",
                        b -> object(b, "/steps/0/outcomes").put("timeoutNs", 0),
                        "steps[0].outcomes.timeoutNs",
                        "from 1 to"),
                wrong("no connections", "closed", b -> step(b).put("connections", 0), "steps[0].connections", "1 to"),
                wrong(
                        "window with lag alone",
                        "closed",
                        b -> window(b).set("lag", window(b).get("service")),
                        "windows[0].response",
                        "missing"),
                wrong(
                        "unknown transport",
                        "closed",
                        b -> object(b, "/steps/0/sentBy").put("transport", "pigeon"),
                        "steps[0].sentBy.transport",
                        "one of"),
                wrong(
                        "unknown HTTP",
                        "closed",
                        b -> object(b, "/steps/0/sentBy").put("http", "0.9"),
                        "steps[0].sentBy.http",
                        "one of"));
    }
}
