package dev.loomboard.measurement;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.loomboard.kernel.FieldChecks;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a trial's first batch says of it. Its JSON is the wire's TrialStart.
 *
 * @param anchor the agent's wall clock at offset 0, RFC 3339; kept as text because a number must not pass for a time
 * @param jdk null: the server has no JVM, and neither collector nor heap
 * @param serverDigest null: the artefact was not there
 * @param cpuSets null: its agent did not say
 * @param doctor of the machine when the run began; null: not looked at
 * @param layout null: its agent left it to chance
 * @param database that the agent started for this trial; null: the workload asks none, or one that the machine's owner has
 * @param commandLine with the machine's folders replaced
 */
public record TrialStart(
        String anchor,
        String agentVersion,
        String fingerprintHash,
        String classHash,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String jdk,
        @JsonProperty(required = true) @Nullable String serverDigest,
        String collector,
        int heapMiB,
        List<String> commandLine,
        double tickHz,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable CpuSets cpuSets,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable DoctorReport doctor,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Layout layout,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable StartedDatabase database)
        implements Checked {

    private static final Pattern JDK_SLUG = Pattern.compile("[a-z0-9][a-z0-9._+-]{0,119}");

    /**
     * What was done about where things lie in memory, which may cost or save some percent.
     *
     * @param paddingBytes drawn: the server's environment is longer by this number
     * @param readAheadBytes of the JDK and the artefact, read before the launch
     * @param equalPaths the JDK and the server were reached by paths as long as those of every trial of the agent. Null: by
     *     their own
     */
    public record Layout(
            int paddingBytes, long readAheadBytes, @Nullable Boolean equalPaths) implements Checked {

        private static final int MOST_PADDING = 4095;

        @Override
        public void check() {
            FieldChecks.between("paddingBytes", paddingBytes, 0, MOST_PADDING);
            FieldChecks.notNegative("readAheadBytes", readAheadBytes);
        }
    }

    /**
     * A fresh PostgreSQL of one trial. The trial's server digest is of server and database together.
     *
     * @param version as PostgreSQL says it
     * @param digest of version, settings and seed
     * @param seed digest of the file that filled it; null: it began empty
     * @param cpus it was kept on; null: on none in particular
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record StartedDatabase(
            String version,
            String digest,
            @Nullable String seed,
            @Nullable String cpus) implements Checked {

        @Override
        public void check() {
            FieldChecks.text("version", version, 200);
            FieldChecks.matching("digest", digest, FieldChecks.SHA256);
            if (seed != null) {
                FieldChecks.matching("seed", seed, FieldChecks.SHA256);
            }
            CpuSets.cpus("cpus", cpus);
        }
    }

    /**
     * The CPUs that each was kept on, as the kernel writes them: 0-2,5.
     *
     * @param shared why they shared all CPUs; null with no set: nothing is known
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record CpuSets(
            @Nullable String server,
            @Nullable String load,
            @Nullable String agent,
            @Nullable String shared) implements Checked {

        private static final int LONGEST = 1000;
        private static final Pattern CPUS = Pattern.compile("[0-9]{1,4}(-[0-9]{1,4})?(,[0-9]{1,4}(-[0-9]{1,4})?)*");

        @Override
        public void check() {
            cpus("server", server);
            cpus("load", load);
            cpus("agent", agent);
            FieldChecks.atMostOrNull("shared", shared, 300);
        }

        private static void cpus(String field, @Nullable String set) {
            if (set != null) {
                FieldChecks.atMost(field, set, LONGEST);
                FieldChecks.matching(field, set, CPUS);
            }
        }
    }

    @Override
    public void check() {
        FieldChecks.instant("anchor", anchor);
        FieldChecks.atMost("agentVersion", agentVersion, 60);
        FieldChecks.matching("fingerprintHash", fingerprintHash, FieldChecks.SHA256);
        FieldChecks.matching("classHash", classHash, FieldChecks.SHA256);
        if (jdk != null) {
            FieldChecks.matching("jdk", jdk, JDK_SLUG);
        }
        if (serverDigest != null) {
            FieldChecks.matching("serverDigest", serverDigest, FieldChecks.SHA256);
        }
        FieldChecks.atMost("collector", collector, 60);
        FieldChecks.notNegative("heapMiB", heapMiB);
        FieldChecks.list("commandLine", commandLine, 200);
        for (int i = 0; i < commandLine.size(); i++) {
            FieldChecks.atMost("commandLine[" + i + "]", commandLine.get(i), 2000);
        }
        FieldChecks.finite("tickHz", tickHz);
    }

    /** The agent's wall clock at offset 0. */
    public Instant began() {
        return FieldChecks.instant("anchor", anchor);
    }
}
