package dev.loomboard.server.quarkus;

import java.util.HashMap;
import java.util.Map;

/** What the command line says. Quarkus itself reads system properties, but no arguments. */
final class Settings {

    /** Properties of Quarkus by names of ours. */
    private static final Map<String, String> NAMES = Map.of(
            "address", "quarkus.http.host",
            "port", "quarkus.http.port",
            "database", "quarkus.datasource.reactive.url",
            "database-user", "quarkus.datasource.username",
            "database-connections", "quarkus.datasource.reactive.max-size");

    private Settings() {}

    /**
     * Reads {@code --name=value} into properties of Quarkus; what is missing or unknown stops the start: nothing must be
     * measured under a name that it does not have.
     */
    static Map<String, String> of(String... args) {
        Map<String, String> properties = new HashMap<>();
        for (String arg : args) {
            String[] pair = arg.split("=", 2);
            if (!arg.startsWith("--") || pair.length < 2) {
                throw new IllegalArgumentException("an argument must be --name=value, but is " + arg);
            }
            String name = pair[0].substring(2);
            switch (name) {
                case "variant" -> properties.put(Variant.named(pair[1]).property, "on");
                case "database" -> properties.put(NAMES.get(name), "postgresql://" + pair[1]);
                default -> {
                    if (!NAMES.containsKey(name)) {
                        throw new IllegalArgumentException("there is no setting " + name);
                    }
                    properties.put(NAMES.get(name), pair[1]);
                }
            }
        }
        if (Variant.all().noneMatch(variant -> properties.containsKey(variant.property))) {
            throw new IllegalArgumentException("--variant=… is missing");
        }
        return properties;
    }
}
