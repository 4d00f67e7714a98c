package dev.loomboard.ingest;

import static dev.loomboard.ingest.Examples.array;
import static dev.loomboard.ingest.Examples.batch;
import static dev.loomboard.ingest.Examples.object;
import static dev.loomboard.ingest.WrongBatch.wrong;
import static dev.loomboard.ingest.WrongLoad.step;

import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/** What can be wrong with the operations of a mix. */
final class WrongMix {

    private static final String FIRST = "steps[0].operations[0].";

    private WrongMix() {}

    static Stream<WrongBatch> all() {
        return Stream.of(
                wrong(
                        "no operation",
                        "mix",
                        b -> array(b, "/steps/0/operations").removeAll(),
                        "steps[0].operations",
                        "empty"),
                wrong(
                        "an operation twice",
                        "mix",
                        b -> first(b).put("name", "owner"),
                        "steps[0].operations[1].name",
                        "twice"),
                wrong(
                        "a name that is none",
                        "mix",
                        b -> first(b).put("name", "New visit"),
                        FIRST + "name",
                        "must match"),
                wrong("no weight", "mix", b -> first(b).put("weight", 0), FIRST + "weight", "from 1 to 1000"),
                wrong("more sent than offered", "mix", b -> first(b).put("sent", 11), FIRST + "sent", "from 0 to 10"),
                wrong(
                        "more completed than sent",
                        "mix",
                        b -> first(b).put("completed", 11),
                        FIRST + "completed",
                        "from 0 to 10"),
                wrong(
                        "hits that the step does not have",
                        "mix",
                        b -> first(b).put("offered", 11),
                        "steps[0].operations",
                        "101 offered together, the step has 100"),
                wrong(
                        "fewer failures than the step",
                        "mix",
                        b -> first(b).put("failed", 1),
                        "steps[0].operations",
                        "1 failed together, the step has 2"),
                wrong(
                        "other work than the step's",
                        "mix",
                        b -> first(b).put("completedInStep", 8),
                        "steps[0].operations",
                        "98 completedInStep together, the step has 97"),
                wrong(
                        "a step that does not say its work",
                        "mix",
                        b -> object(b, "/steps/0/outcomes").remove("completedInStep"),
                        "steps[0].outcomes.completedInStep",
                        "missing"),
                wrong(
                        "no response times of an open load",
                        "mix",
                        b -> first(b).remove(List.of("response", "responseFailed")),
                        FIRST + "response",
                        "the step has a rate"),
                wrong("failed responses alone", "mix", b -> first(b).remove("response"), FIRST + "response", "missing"),
                wrong("no histogram", "mix", b -> first(b).put("service", "AAAA"), FIRST + "service", "histogram"),
                wrong(
                        "lag of an operation",
                        "mix",
                        b -> first(b).set("lag", first(b).get("service")),
                        FIRST + "lag",
                        "known"),
                wrong("no errors", "mix", b -> first(b).remove("errors"), FIRST + "errors", "missing"),
                wrong(
                        "response times of a closed load",
                        "closed",
                        b -> step(b).set("operations", array(batch("mix"), "/steps/0/operations")),
                        FIRST + "response",
                        "the step has connections"));
    }

    private static ObjectNode first(ObjectNode batch) {
        return object(batch, "/steps/0/operations/0");
    }
}
