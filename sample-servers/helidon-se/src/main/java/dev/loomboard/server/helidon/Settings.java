package dev.loomboard.server.helidon;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the command line says.
 *
 * @param port 0: any free one
 * @param database that workloads ask; a server that is not told of one does not have those
 */
record Settings(String address, int port, Optional<Database> database) {

    /**
     * @param address host:port/name
     * @param connections in the pool, all of them open
     */
    record Database(String address, String user, String password, int connections) {}

    /** Reads {@code --name=value}; what is missing or unknown stops the start. */
    static Settings of(String... args) {
        Map<String, String> values = new HashMap<>();
        for (String arg : args) {
            String[] pair = arg.split("=", 2);
            if (!arg.startsWith("--") || pair.length < 2) {
                throw new IllegalArgumentException("an argument must be --name=value, but is " + arg);
            }
            values.put(pair[0].substring(2), pair[1]);
        }
        Optional<Database> database = values.containsKey("database") ? Optional.of(database(values)) : Optional.empty();
        Settings settings = new Settings(take(values, "address"), Integer.parseInt(take(values, "port")), database);
        if (!values.isEmpty()) {
            throw new IllegalArgumentException("there is no setting " + values.keySet());
        }
        return settings;
    }

    private static Database database(Map<String, String> values) {
        return new Database(
                take(values, "database"),
                take(values, "database-user"),
                System.getenv("LOOMBOARD_DATABASE_PASSWORD"),
                Integer.parseInt(take(values, "database-connections")));
    }

    private static String take(Map<String, String> values, String name) {
        String value = values.remove(name);
        if (value == null) {
            throw new IllegalArgumentException("--" + name + "=… is missing");
        }
        return value;
    }
}
