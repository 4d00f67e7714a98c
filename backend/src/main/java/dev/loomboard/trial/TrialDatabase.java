package dev.loomboard.trial;

import dev.loomboard.measurement.TrialEnd;
import dev.loomboard.measurement.TrialStart;
import dev.loomboard.view.Format;
import org.jspecify.annotations.Nullable;

/**
 * What a trial's page says of the database that the agent started for it.
 *
 * @param filled by what, in words
 * @param cpus the CPUs that it was kept on, in words
 * @param cpu over the measured steps, with its unit; {@code not measured} is never zero
 * @param memory the most over the whole trial, with its unit
 */
public record TrialDatabase(String version, String filled, String cpus, String cpu, String memory) {

    /** What its metrics are called; they are no noise of the host. */
    static final String METRICS = "database.";

    private static final String ABSENT = "not measured";
    private static final double MIB = 1 << 20;
    private static final int DIGITS = 12;

    /** Null: the agent started none. */
    static @Nullable TrialDatabase of(TrialStart start, TrialEnd end) {
        TrialStart.StartedDatabase database = start.database();
        if (database == null) {
            return null;
        }
        Double cpu = end.noise().get(METRICS + "cpu_s");
        Double memory = end.noise().get(METRICS + "memory_bytes.max");
        return new TrialDatabase(
                "PostgreSQL " + database.version(),
                database.seed() == null
                        ? "by nothing: it began empty"
                        : "by the file " + database.seed().substring(0, DIGITS),
                database.cpus() == null ? "all" : database.cpus(),
                cpu == null ? ABSENT : Format.three(cpu) + " s",
                memory == null ? ABSENT : Format.three(memory / MIB) + " MiB");
    }
}
