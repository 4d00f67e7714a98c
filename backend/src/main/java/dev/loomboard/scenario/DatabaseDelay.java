package dev.loomboard.scenario;

/**
 * How long every packet between a server and its database takes longer, each way; its JSON is the wire's DatabaseDelay.
 * Where there is none there is no proxy either: a delay of 0 is another thing, the baseline of the others.
 */
public record DatabaseDelay(int toDatabaseMs, int fromDatabaseMs) {

    /** What one question and its answer take longer. */
    public double roundTripMs() {
        return toDatabaseMs + fromDatabaseMs;
    }

    /** Part of a scenario's key. */
    String canonical() {
        return "db=" + toDatabaseMs + "+" + fromDatabaseMs;
    }
}
