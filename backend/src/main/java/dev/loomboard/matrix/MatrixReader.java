package dev.loomboard.matrix;

import dev.loomboard.kernel.FieldChecks;
import dev.loomboard.web.Problem.FieldError;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads a matrix file and names every problem in it, each with the path of its field: those of single fields, or if there are none,
 * those that only show in all fields together.
 */
public final class MatrixReader {

    private static final int MAX_CHARACTERS = 200_000;
    /** With every anchor followed. */
    private static final int MAX_VALUES = 50_000;

    private static final int MAX_DEPTH = 20;
    private static final double MAX_EXACT = 1L << 53;
    private static final JsonMapper JSON = JsonMapper.shared();

    private int values;

    private MatrixReader() {}

    /** What came of a text. */
    public sealed interface Reading {}

    public record Read(MatrixSpec spec) implements Reading {}

    /** @param problems all of them, never empty */
    public record Refused(List<FieldError> problems) implements Reading {
        public Refused {
            problems = List.copyOf(problems);
        }
    }

    public static Reading read(String yaml) {
        JsonNode document;
        try {
            Object loaded = load(yaml);
            document = new MatrixReader().node(loaded, 0);
            FieldChecks.noneDeceptive("", loaded);
        } catch (FieldChecks.Refused e) {
            return new Refused(List.of(new FieldError(e.field().isEmpty() ? "(document)" : e.field(), e.what())));
        } catch (MarkedYAMLException e) {
            var mark = e.getProblemMark();
            String where = mark == null ? "(document)" : "line " + (mark.getLine() + 1);
            return new Refused(List.of(new FieldError(where, "is not YAML: " + e.getProblem())));
        } catch (YAMLException e) {
            return new Refused(List.of(new FieldError("(document)", "is not YAML: " + e.getMessage())));
        }
        List<FieldError> problems = MatrixSchema.problems(document);
        if (!problems.isEmpty()) {
            return new Refused(problems);
        }
        MatrixSchema.addDefaults(document);
        MatrixSpec spec = JSON.treeToValue(document, MatrixSpec.class);
        problems = MatrixRules.problems(spec);
        return problems.isEmpty() ? new Read(spec) : new Refused(problems);
    }

    private static Object load(String yaml) {
        try {
            return new Yaml(new SafeConstructor(options())).load(yaml);
        } catch (
                IllegalArgumentException
                        e) { // at a fraction like "._" or a tag like "!%0" the library forgets to say it as its own
            throw new YAMLException(e.getMessage(), e);
        }
    }

    private static LoaderOptions options() {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        options.setMaxAliasesForCollections(20); // a few anchors, never a bomb
        options.setCodePointLimit(MAX_CHARACTERS);
        return options;
    }

    /** The value as JSON; a field that is null counts as left out. What JSON does not have becomes what no rule takes. */
    private JsonNode node(@Nullable Object value, int depth) {
        if (++values > MAX_VALUES || depth > MAX_DEPTH) {
            throw new YAMLException("its anchors make it too large");
        }
        JsonNodeFactory nodes = JSON.getNodeFactory();
        return switch (value) {
            case null -> nodes.nullNode();
            case Map<?, ?> map
            when map.keySet().stream().allMatch(String.class::isInstance) -> {
                ObjectNode object = nodes.objectNode();
                map.forEach((name, field) -> {
                    if (field != null) {
                        object.set((String) name, node(field, depth + 1));
                    }
                });
                yield object;
            }
            case List<?> list -> {
                ArrayNode array = nodes.arrayNode();
                list.forEach(element -> array.add(node(element, depth + 1)));
                yield array;
            }
            case Double number
            when Math.rint(number) == number && Math.abs(number) < MAX_EXACT -> nodes.numberNode(number.longValue());
            // The schema's reader compares it with whole numbers, and fails at one that a long cannot hold.
            case Double number
            when Double.isFinite(number) && Math.abs(number) >= Long.MAX_VALUE ->
                nodes.numberNode(new BigDecimal(number).toBigIntegerExact());
            case Double number when Double.isFinite(number) -> nodes.numberNode(number);
            case Integer number -> nodes.numberNode(number);
            case BigInteger number -> nodes.numberNode(number);
            case Long number -> nodes.numberNode(number);
            case Boolean flag -> nodes.booleanNode(flag);
            case String text -> nodes.stringNode(text);
            case Object other -> nodes.pojoNode(other.toString());
        };
    }
}
