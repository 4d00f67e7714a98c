package dev.loomboard.server.quarkus;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.yaml.snakeyaml.Yaml;

/** What server.yaml and workloads.yaml, the files the agent reads, promise about this server. */
final class Declared {

    private static final Map<String, Object> SERVER = read(Path.of("server.yaml"));
    private static final Map<String, Object> WORKLOADS =
            map(read(Path.of("../workloads.yaml")).get("workloads"));

    private Declared() {}

    record Variant(String name, List<String> args) {
        @Override
        public String toString() {
            return name;
        }
    }

    record Check(String method, String path, Map<String, Object> params, Map<String, Object> expected) {

        String pathAndQuery() {
            return params.entrySet().stream()
                    .map(param -> param.getKey() + "=" + param.getValue())
                    .collect(Collectors.joining("&", path + "?", ""));
        }
    }

    static Stream<Variant> variants() {
        return list(SERVER.get("variants")).stream()
                .map(Declared::map)
                .map(variant -> new Variant(
                        (String) variant.get("name"),
                        list(variant.get("args")).stream().map(String::valueOf).toList()));
    }

    static Variant variant(String name) {
        return variants()
                .filter(variant -> variant.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    static String readiness() {
        return (String) map(SERVER.get("readiness")).get("path");
    }

    static List<Check> checks() {
        return list(SERVER.get("workloads")).stream()
                .map(name -> map(WORKLOADS.get(name)))
                // Those that ask a database: `loomboard-agent verify` with LOOMBOARD_DATABASE checks them.
                .filter(workload -> !Boolean.TRUE.equals(workload.get("database")))
                .flatMap(workload -> list(workload.get("checks")).stream()
                        .map(Declared::map)
                        .map(check -> new Check(
                                (String) workload.get("method"),
                                (String) workload.get("path"),
                                map(check.get("params")),
                                check)))
                .toList();
    }

    private static Map<String, Object> read(Path file) {
        try (var reader = Files.newBufferedReader(file)) {
            return new Yaml().load(reader);
        } catch (IOException e) {
            throw new IllegalStateException("Cannot read " + file.toAbsolutePath(), e);
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }

    private static List<?> list(Object value) {
        return (List<?>) value;
    }
}
