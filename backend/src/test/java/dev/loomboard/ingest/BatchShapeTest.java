package dev.loomboard.ingest;

import static dev.loomboard.ingest.Examples.batch;
import static dev.loomboard.ingest.Examples.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.measurement.Batch;
import dev.loomboard.web.Problem;
import dev.loomboard.web.ReceivedBody;
import dev.loomboard.web.StrictJson;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The JSON of a batch is flat where its records are not: counts, times and lags are fields of the window, step, operation or
 * health that has them.
 */
final class BatchShapeTest {

    private static final JsonMapper STRICT = StrictJson.mapper();
    private static final List<String> EXAMPLES = List.of("first", "middle", "last", "closed", "mix");

    /** Objects whose fields are names that the sender chose. */
    private static final Set<String> MAPS = Set.of(
            "statusCodes", "columns", "phaseSeconds", "flags", "noise", "missing", "byOperation", "byCause", "causes");

    private static final Comparator<JsonNode> BY_VALUE =
            (a, b) -> a.isNumber() && b.isNumber() ? a.decimalValue().compareTo(b.decimalValue()) : a.equals(b) ? 0 : 1;

    private final BatchReader reader = new BatchReader(STRICT);

    @TestFactory
    Stream<DynamicTest> unknown_field_is_refused_wherever_it_stands() {
        return EXAMPLES.stream()
                .flatMap(example -> objects(batch(example), "", "").stream()
                        .map(place -> DynamicTest.dynamicTest(example + " " + place.field(), () -> {
                            ObjectNode spoilt = batch(example);
                            ((ObjectNode) spoilt.at(place.pointer())).put("moons", 1);
                            Problem.FieldError error = refused(spoilt);
                            assertThat(error.field()).isEqualTo(place.field() + "moons");
                            assertThat(error.message()).isEqualTo("is not a known field");
                        })));
    }

    /** Neither by its name in Java nor by the one that Jackson gives it. */
    @TestFactory
    Stream<DynamicTest> group_of_fields_is_no_field() {
        List<String> names = Stream.concat(
                        Stream.of("counts", "times", "lags"),
                        IntStream.range(0, 12).mapToObj(i -> "@JsonUnwrapped/" + i))
                .toList();
        return Stream.of(
                        new Place("/windows/0", "windows[0]."),
                        new Place("/steps/0", "steps[0]."),
                        new Place("/steps/0/health", "steps[0].health."))
                .flatMap(place -> names.stream()
                        .map(name -> DynamicTest.dynamicTest(place.field() + name, () -> {
                            ObjectNode spoilt = batch("closed");
                            ((ObjectNode) spoilt.at(place.pointer())).putObject(name);
                            assertThat(refused(spoilt).field()).isEqualTo(place.field() + name);
                        })));
    }

    @TestFactory
    Stream<DynamicTest> number_that_is_none_is_refused_wherever_it_stands() {
        return EXAMPLES.stream()
                .flatMap(example -> objects(batch(example), "", "").stream()
                        .flatMap(place -> numbers(batch(example).at(place.pointer()))
                                .map(name -> DynamicTest.dynamicTest(example + " " + place.field() + name, () -> {
                                    ObjectNode spoilt = batch(example);
                                    ((ObjectNode) spoilt.at(place.pointer())).putObject(name);
                                    assertThat(refused(spoilt).field()).isEqualTo(place.field() + name);
                                }))));
    }

    @TestFactory
    Stream<DynamicTest> windows_and_steps_are_written_as_they_were_read() {
        return EXAMPLES.stream()
                .map(example -> DynamicTest.dynamicTest(example, () -> {
                    ObjectNode sent = batch(example);
                    Batch read = ((BatchReader.Sound) read(sent)).batch();
                    for (String list : List.of("windows", "steps")) {
                        JsonNode written = STRICT.readTree(STRICT.writeValueAsString(
                                STRICT.valueToTree(read).path(list)));
                        JsonNode expected =
                                sent.path(list).isMissingNode() ? STRICT.createArrayNode() : sent.path(list);
                        assertThat(withoutNulls(written).equals(BY_VALUE, withoutNulls(expected)))
                                .as("%s of %s: %s", list, example, written)
                                .isTrue();
                    }
                }));
    }

    /**
     * @param pointer RFC 6901
     * @param field as refusals name what is in it: it ends with a dot, or is empty
     */
    private record Place(String pointer, String field) {}

    private static List<Place> objects(JsonNode node, String pointer, String field) {
        List<Place> found = new ArrayList<>();
        if (node.isObject()) {
            found.add(new Place(pointer, field.isEmpty() ? "" : field + "."));
            node.properties().stream()
                    .filter(property -> !MAPS.contains(property.getKey()))
                    .forEach(property -> found.addAll(objects(
                            property.getValue(),
                            pointer + "/" + property.getKey(),
                            field.isEmpty() ? property.getKey() : field + "." + property.getKey())));
        }
        for (int i = 0; node.isArray() && i < Math.min(node.size(), 2); i++) {
            found.addAll(objects(node.get(i), pointer + "/" + i, field + "[" + i + "]"));
        }
        return found;
    }

    private static Stream<String> numbers(JsonNode object) {
        return object.properties().stream()
                .filter(property -> property.getValue().isNumber())
                .map(property -> property.getKey());
    }

    private static JsonNode withoutNulls(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.removeIf(JsonNode::isNull);
        }
        node.forEach(BatchShapeTest::withoutNulls);
        return node;
    }

    private BatchReader.Reading read(ObjectNode batch) {
        return reader.read(Examples.TRIAL, batch.path("seq").asString("1"), ReceivedBody.plain(bytes(batch)));
    }

    private Problem.FieldError refused(ObjectNode batch) {
        BatchReader.Reading reading = read(batch);
        assertThat(reading).isInstanceOf(BatchReader.Refused.class);
        return ((BatchReader.Refused) reading).problem().errors().getFirst();
    }
}
