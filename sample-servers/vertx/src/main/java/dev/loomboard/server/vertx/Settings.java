package dev.loomboard.server.vertx;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the command line says, all of it as {@code --name=value}.
 *
 * @param port negative: any free one
 */
record Settings(String address, int port, Variant variant, Optional<Database> database) {

    private static final Set<String> NAMES =
            Set.of("address", "port", "variant", "database.address", "database.user", "database.connections");

    /**
     * The database that workloads ask. A server that is not told of one opens no connection and does not have those
     * workloads.
     *
     * @param address host:port/name
     * @param connections in the pool, at most
     */
    record Database(String address, String user, String password, int connections) {}

    /** Refuses what it does not know: nothing must be measured under a name that it does not have. */
    static Settings parse(String[] args, Map<String, String> environment) {
        Map<String, String> said = new HashMap<>();
        for (String arg : args) {
            int at = arg.indexOf('=');
            if (!arg.startsWith("--") || at < 0 || !NAMES.contains(arg.substring(2, at))) {
                throw new IllegalArgumentException("unknown argument " + arg + "; there are --" + NAMES + "=…");
            }
            said.put(arg.substring(2, at), arg.substring(at + 1));
        }
        return new Settings(
                said.getOrDefault("address", "127.0.0.1"),
                Integer.parseInt(said.getOrDefault("port", "8080")),
                Variant.named(said.getOrDefault("variant", "none")),
                Optional.ofNullable(said.get("database.address"))
                        .map(address -> new Database(
                                address,
                                said.getOrDefault("database.user", ""),
                                environment.getOrDefault("LOOMBOARD_DATABASE_PASSWORD", ""),
                                Integer.parseInt(said.getOrDefault("database.connections", "1")))));
    }
}
