package dev.loomboard.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The golden examples, which the agent's tests read too, are what the description says. */
final class ExamplesTest {

    private static final Map<String, String> SCHEMAS = new TreeMap<>(Map.ofEntries(
            Map.entry("artefact-classes.json", "Classes"),
            Map.entry("artefact-diagnosis.json", "Diagnosis"),
            Map.entry("assignment.json", "Assignment"),
            Map.entry("batch-first.json", "Batch"),
            Map.entry("batch-middle.json", "Batch"),
            Map.entry("batch-closed.json", "Batch"),
            Map.entry("batch-last.json", "Batch"),
            Map.entry("batch-mix.json", "Batch"),
            Map.entry("builds-without-flags.json", "BuildsWithoutFlags"),
            Map.entry("completion.json", "Completion"),
            Map.entry("features.json", "Features"),
            Map.entry("heartbeat.json", "Heartbeat"),
            Map.entry("heartbeat-answer.json", "HeartbeatAnswer"),
            Map.entry("inventory.json", "Inventory"),
            Map.entry("jdk-flags.json", "JdkFlags"),
            Map.entry("jdk-progress.json", "JdkProgress"),
            Map.entry("key-request.json", "KeyRequest"),
            Map.entry("key-state.json", "KeyState"),
            Map.entry("needed-builds.json", "NeededBuilds"),
            Map.entry("problem.json", "Problem"),
            Map.entry("register-request.json", "RegisterRequest"),
            Map.entry("register-response.json", "RegisterResponse"),
            Map.entry("signing-keys.json", "SigningKeys")));

    /** Answers to scripts. */
    private static final Map<String, String> OF_SCRIPTS = Map.of("v1-comparisons.json", "Comparison");

    /** Read by both sides, but never on the wire: matrices, their expansions, and histograms with their figures. */
    private static final String NOT_ON_THE_WIRE =
            "((expand|hdr|matrix|qualification|spoilt|verdict|allocation|comparison|selector)-.*|excess|signed-(assignment|server-list))\\.json";

    static JsonNode example(String file) {
        return JsonMapper.shared()
                .readTree(Contract.text(Contract.FOLDER.resolve("examples").resolve(file)));
    }

    @Test
    void every_example_has_its_schema_here() throws IOException {
        try (Stream<Path> files = Files.list(Contract.FOLDER.resolve("examples"))) {
            Set<String> there = files.map(f -> f.getFileName().toString())
                    .filter(name -> !name.matches(NOT_ON_THE_WIRE))
                    .collect(Collectors.toCollection(TreeSet::new));
            Set<String> known = new TreeSet<>(SCHEMAS.keySet());
            known.addAll(OF_SCRIPTS.keySet());
            assertThat(there).isEqualTo(known);
        }
    }

    @Test
    void list_of_servers_is_as_described() {
        String list = example("signed-server-list.json").get("body").asString();
        assertThat(Contract.AGENT.schemaProblems(
                        "ServerList", JsonMapper.shared().readTree(list)))
                .isEmpty();
    }

    @Test
    void servers_that_an_expansion_is_offered_are_as_described() {
        for (String file : new String[] {"expand-process.json", "expand-mix.json"}) {
            assertThat(example(file).get("servers"))
                    .isNotEmpty()
                    .allSatisfy(offer -> assertThat(Contract.AGENT.schemaProblems("ServerOffer", offer))
                            .isEmpty());
        }
    }

    @TestFactory
    Stream<DynamicTest> example_is_as_described() {
        return Stream.of(Map.entry(Contract.AGENT, SCHEMAS), Map.entry(Contract.SCRIPTS, OF_SCRIPTS))
                .flatMap(of -> of.getValue().entrySet().stream()
                        .map(e -> DynamicTest.dynamicTest(
                                e.getKey(),
                                () -> assertThat(of.getKey().schemaProblems(e.getValue(), example(e.getKey())))
                                        .isEmpty())));
    }

    /** Shows that the check above can fail. */
    @TestFactory
    Stream<DynamicTest> example_with_an_unknown_field_is_not() {
        return SCHEMAS.entrySet().stream()
                .filter(e -> !e.getValue().equals("Problem")) // RFC 9457 allows members of one's own
                .map(e -> DynamicTest.dynamicTest(e.getKey(), () -> {
                    var spoilt = (ObjectNode) example(e.getKey());
                    spoilt.put("unknownField", 1);
                    assertThat(Contract.AGENT.schemaProblems(e.getValue(), spoilt))
                            .singleElement()
                            .asString()
                            .contains("unknownField");
                }));
    }
}
