package dev.loomboard.server.micronaut;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** What the command line says. */
final class Settings {

    private Settings() {}

    /**
     * Reads {@code --name=value} into properties of Micronaut; what is missing or unknown stops the start: nothing must be
     * measured under a name that it does not have.
     */
    static Map<String, Object> of(String... args) {
        Map<String, String> values = new HashMap<>();
        for (String arg : args) {
            String[] pair = arg.split("=", 2);
            if (!arg.startsWith("--") || pair.length < 2) {
                throw new IllegalArgumentException("an argument must be --name=value, but is " + arg);
            }
            values.put(pair[0].substring(2), pair[1]);
        }
        Map<String, Object> properties = new HashMap<>(Variant.named(take(values, "variant")).properties);
        properties.put("micronaut.server.host", take(values, "address"));
        properties.put("micronaut.server.port", take(values, "port"));
        if (values.containsKey("database")) {
            database(values, properties);
        }
        if (!values.isEmpty()) {
            throw new IllegalArgumentException("there is no setting " + values.keySet());
        }
        return properties;
    }

    /** The database that workloads ask; a server that is not told of one does not have those. */
    private static void database(Map<String, String> values, Map<String, Object> properties) {
        // A connection that was idle for half a second would else be tried first: a second question, which
        // makes a request at low rates twice as far from its database as one at high rates.
        System.setProperty(
                "com.zaxxer.hikari.aliveBypassWindowMs",
                String.valueOf(Duration.ofDays(1).toMillis()));
        properties.put("datasources.default.url", "jdbc:postgresql://" + take(values, "database"));
        properties.put("datasources.default.username", take(values, "database-user"));
        properties.put("datasources.default.password", System.getenv("LOOMBOARD_DATABASE_PASSWORD"));
        properties.put("datasources.default.maximum-pool-size", take(values, "database-connections"));
    }

    private static String take(Map<String, String> values, String name) {
        String value = values.remove(name);
        if (value == null) {
            throw new IllegalArgumentException("--" + name + "=… is missing");
        }
        return value;
    }
}
