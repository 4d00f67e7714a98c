package dev.loomboard.matrix;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.path.NodePath;
import dev.loomboard.web.Problem.FieldError;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a field of a matrix must be by itself, and its default: {@code api/matrix-1.schema.json}, which the agent reads too. A value
 * that is refused must be what the description beside the rule says.
 */
final class MatrixSchema {

    private static final String FILE = "/api/matrix-1.schema.json";
    private static final JsonNode ROOT = read();
    private static final SchemaRegistry SCHEMAS = SchemaRegistry.withDialect(Dialects.getDraft202012());
    private static final Schema SCHEMA = SCHEMAS.getSchema(ROOT);

    private MatrixSchema() {}

    /** Everything that is wrong with single fields, one problem for each. */
    static List<FieldError> problems(JsonNode document) {
        Map<String, FieldError> problems = new LinkedHashMap<>();
        for (Error error : SCHEMA.validate(document)) {
            FieldError problem = problem(error);
            problems.putIfAbsent(problem.field(), problem);
        }
        return List.copyOf(problems.values());
    }

    /** Adds the schema's defaults to a document without problems, where fields are left out. */
    static void addDefaults(JsonNode document) {
        addDefaults(ROOT, document);
    }

    private static FieldError problem(Error error) {
        String field = path(error.getInstanceLocation());
        return switch (error.getKeyword()) {
            case "required" -> new FieldError(child(field, error.getProperty()), "is missing");
            case "additionalProperties" -> new FieldError(child(field, error.getProperty()), "is not a known field");
            case "minItems" -> new FieldError(field, "must not be empty");
            case "uniqueItems" -> new FieldError(field, "must name each once");
            default ->
                new FieldError(
                        field.isEmpty() ? "(document)" : field,
                        "must be " + described(error) + ", is: " + shown(error.getInstanceNode()));
        };
    }

    private static String described(Error error) {
        JsonPointer rule = JsonPointer.compile(
                error.getSchemaLocation().getFragment().getParent().toString());
        JsonNode part = ROOT.at(rule);
        return switch (part.path("type").asString("")) {
            case "object" -> "a mapping of names to values";
            case "array" -> "a list";
            default -> part.path("description").asString("");
        };
    }

    private static String path(NodePath location) {
        String path = "";
        for (int i = 0; i < location.getNameCount(); i++) {
            Object step = location.getElement(i);
            path = step instanceof Integer ? path + "[" + step + "]" : child(path, step.toString());
        }
        return path;
    }

    private static String child(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private static String shown(JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT -> "a mapping";
            case ARRAY -> "a list";
            case NULL, MISSING -> "nothing";
            case STRING, NUMBER, BOOLEAN, BINARY, POJO -> value.asString();
        };
    }

    private static void addDefaults(JsonNode schema, JsonNode value) {
        if (schema.has("$ref")) {
            addDefaults(ROOT.at(schema.get("$ref").asString().substring(1)), value);
        }
        schema.path("allOf").forEach(part -> addDefaults(part, value));
        if (schema.has("then")
                && SCHEMAS.getSchema(schema.get("if")).validate(value).isEmpty()) {
            addDefaults(schema.get("then"), value);
        }
        if (value instanceof ObjectNode object) {
            schema.path("properties").properties().forEach(property -> {
                JsonNode rule = property.getValue();
                if (rule.has("default") && !object.has(property.getKey())) {
                    object.set(property.getKey(), rule.get("default").deepCopy());
                }
                if (object.has(property.getKey())) {
                    addDefaults(rule, object.get(property.getKey()));
                }
            });
        } else if (value.isArray()) {
            value.forEach(element -> addDefaults(schema.path("items"), element));
        }
    }

    private static JsonNode read() {
        try (InputStream in = MatrixSchema.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new IllegalStateException("the program lacks its file " + FILE);
            }
            return JsonMapper.shared().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + FILE, e);
        }
    }
}
