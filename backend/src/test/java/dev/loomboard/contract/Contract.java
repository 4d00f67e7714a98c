package dev.loomboard.contract;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.Dialects;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** One of the two descriptions in {@code backend/api}: its operations, and whether JSON is as it says. */
final class Contract {

    static final Path FOLDER = Path.of("api");

    private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch");
    private static final int REFUSED = 4;
    private static final String REFUSALS = "4XX";

    private static final Set<String> OF_ANY = Set.of(REFUSALS, "429", "503");
    private static final String BASE = "https://loomboard.invalid/";

    static final Contract AGENT = new Contract("agent-v1.yaml");
    static final Contract SCRIPTS = new Contract("v1.yaml");

    private final String file;
    private final JsonNode root;
    private final SchemaRegistry schemas;
    private final Map<String, String> pointers = new TreeMap<>();

    private Contract(String file) {
        this.file = file;
        String text = text(FOLDER.resolve(file));
        this.root = new YAMLMapper().readTree(text);
        this.schemas = SchemaRegistry.withDialect(
                Dialects.getDraft202012(), // which is what OpenAPI 3.1 says its schemas are
                builder -> builder.schemas(Map.of(BASE + file, root.toString()))
                        .schemaRegistryConfig(SchemaRegistryConfig.builder()
                                .formatAssertionsEnabled(true)
                                .locale(Locale.ROOT)
                                .build()));
        root.path("paths")
                .properties()
                .forEach(path -> path.getValue().propertyNames().stream()
                        .filter(METHODS::contains)
                        .forEach(method -> pointers.put(
                                method.toUpperCase(Locale.ROOT) + " " + path.getKey(),
                                "/paths/" + escaped(path.getKey()) + "/" + method)));
    }

    /** Each as {@code PUT /api/agent/v1/inventory}. */
    Set<String> operations() {
        return new TreeSet<>(pointers.keySet());
    }

    /** Every described answer, each as {@code PUT /api/agent/v1/inventory 204}; those that any operation may give left out. */
    Set<String> answers() {
        Set<String> answers = new TreeSet<>();
        for (String operation : operations()) {
            operation(operation).path("responses").propertyNames().stream()
                    .filter(status -> !OF_ANY.contains(status))
                    .forEach(status -> answers.add(operation + " " + status));
        }
        return answers;
    }

    JsonNode operation(String operation) {
        return root.at(pointer(operation));
    }

    /** What its caller must show: its own security, or else the description's; empty: nothing. */
    Set<String> security(String operation) {
        JsonNode own = operation(operation).path("security");
        JsonNode security = own.isMissingNode() ? root.path("security") : own;
        Set<String> schemes = new TreeSet<>();
        security.forEach(choice -> schemes.addAll(choice.propertyNames()));
        return schemes;
    }

    /** What is wrong with a body as the operation's request; empty: nothing. */
    List<String> requestProblems(String operation, JsonNode body) {
        return problems(pointer(operation) + "/requestBody/content/application~1json/schema", body);
    }

    /** What is wrong with an answer: a status, type or body that the description does not have. */
    List<String> answerProblems(String operation, int status, @Nullable String type, @Nullable JsonNode body) {
        Optional<String> answer = answer(operation, status);
        if (answer.isEmpty()) {
            return List.of("status " + status + " is not described");
        }
        JsonNode content = root.at(answer.get()).path("content");
        if (content.isMissingNode()) {
            return body == null ? List.of() : List.of("a body where the description has none");
        }
        if (type == null || !content.has(type)) {
            return List.of("content type " + type + ", described: " + content.propertyNames());
        }
        if (body == null) {
            return List.of("no body where the description has one");
        }
        return problems(answer.get() + "/content/" + escaped(type) + "/schema", body);
    }

    /** What is wrong with {@code value} as {@code components/schemas/name}. */
    List<String> schemaProblems(String name, JsonNode value) {
        return problems("/components/schemas/" + name, value);
    }

    private List<String> problems(String pointer, JsonNode value) {
        if (root.at(pointer).isMissingNode()) {
            throw new IllegalArgumentException(file + " has no " + pointer);
        }
        Schema schema = schemas.getSchema(SchemaLocation.of(BASE + file + "#" + pointer));
        List<String> problems = new ArrayList<>();
        for (Error error : schema.validate(value.toString(), InputFormat.JSON)) {
            problems.add(error.toString());
        }
        return problems;
    }

    /** Its place: under its status, or for a refusal under {@code 4XX}. */
    private Optional<String> answer(String operation, int status) {
        String responses = pointer(operation) + "/responses/";
        String place = root.at(responses + status).isMissingNode() && status / 100 == REFUSED
                ? responses + REFUSALS
                : responses + status;
        JsonNode answer = root.at(place);
        if (answer.isMissingNode()) {
            return Optional.empty();
        }
        JsonNode reference = answer.path("$ref");
        return Optional.of(
                reference.isMissingNode() ? place : reference.asString().substring(1));
    }

    private String pointer(String operation) {
        String pointer = pointers.get(operation);
        if (pointer == null) {
            throw new IllegalArgumentException(
                    file + " has no operation " + operation + ", it has " + pointers.keySet());
        }
        return pointer;
    }

    static String text(Path path) {
        try {
            return Files.readString(path);
        } catch (IOException e) {
            throw new IllegalStateException("cannot read " + path.toAbsolutePath(), e);
        }
    }

    private static String escaped(String key) {
        return JsonPointer.empty().appendProperty(key).toString().substring(1);
    }
}
