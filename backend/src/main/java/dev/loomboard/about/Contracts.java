package dev.loomboard.about;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Reads the OpenAPI files that travel in the program. */
final class Contracts {

    static final List<String> FILES = List.of("v1.yaml", "agent-v1.yaml");
    static final String MATRIX_SCHEMA = "matrix-1.schema.json";

    private static final List<String> METHODS = List.of("get", "post", "put", "delete", "patch");

    private Contracts() {}

    static List<ApiPage.Contract> all() {
        return FILES.stream().map(Contracts::read).toList();
    }

    /** The file as it is. */
    static String text(String file) {
        try (InputStream in = Contracts.class.getResourceAsStream("/api/" + file)) {
            if (in == null) {
                throw new IllegalStateException("the program lacks its file /api/" + file);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read /api/" + file, e);
        }
    }

    private static ApiPage.Contract read(String file) {
        Map<?, ?> root = map(new Yaml(new SafeConstructor(new LoaderOptions())).load(text(file)));
        Map<?, ?> info = map(root.get("info"));
        boolean secured = root.get("security") instanceof List<?> all && !all.isEmpty();
        List<ApiPage.Operation> operations = new ArrayList<>();
        map(root.get("paths"))
                .forEach((path, item) -> map(item).forEach((method, operation) -> {
                    if (METHODS.contains(String.valueOf(method))) {
                        operations.add(
                                operation(String.valueOf(method), String.valueOf(path), map(operation), secured));
                    }
                }));
        return new ApiPage.Contract(string(info.get("title")), string(info.get("description")), file, operations);
    }

    private static ApiPage.Operation operation(String method, String path, Map<?, ?> operation, boolean secured) {
        Object own = operation.get("security");
        boolean proof = own instanceof List<?> list ? !list.isEmpty() : secured;
        String scheme = own instanceof List<?> list && !list.isEmpty()
                ? String.join(
                        ", ",
                        map(list.getFirst()).keySet().stream()
                                .map(String::valueOf)
                                .toList())
                : "bearer key";
        return new ApiPage.Operation(
                method.toUpperCase(Locale.ROOT),
                path,
                string(operation.get("summary")),
                proof ? scheme : null,
                map(operation.get("responses")).keySet().stream()
                        .map(String::valueOf)
                        .toList());
    }

    private static Map<?, ?> map(@Nullable Object node) {
        return node instanceof Map<?, ?> map ? map : Map.of();
    }

    private static String string(@Nullable Object node) {
        return node == null ? "" : node.toString().strip();
    }
}
