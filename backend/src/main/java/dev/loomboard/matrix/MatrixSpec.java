package dev.loomboard.matrix;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.cell.Limits;
import dev.loomboard.cell.TrialKind;
import dev.loomboard.scenario.DatabaseDelay;
import dev.loomboard.scenario.Load;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A matrix as its file states it, after validation by {@link MatrixReader}; stored as JSON of the same shape.
 *
 * @param protocol name and version, such as quick/1: results of two protocols are never compared
 * @param maxWorkers of the load generator
 * @param timeoutSeconds per hit
 * @param requires what a machine must be; null: any will do
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record MatrixSpec(
        String schema,
        String name,
        String title,
        String protocol,
        @JsonUnwrapped Dimensions dimensions,
        List<String> jvmOptions,
        Trials trials,
        Phases phases,
        int maxWorkers,
        double timeoutSeconds,
        @Nullable Requirements requires) {

    public static final String SCHEMA = "loomboard.matrix/1";

    /** Between the start of a JVM and its end, besides the phases that are timed: about what quick trials take. */
    private static final double OVERHEAD_SECONDS = 5;

    public MatrixSpec {
        jvmOptions = List.copyOf(jvmOptions);
    }

    /**
     * What is combined to cells.
     *
     * @param jdks selectors
     * @param jdkLimit keeps only the first builds; null: all
     * @param collectors empty: each server's own
     * @param limits empty: none
     * @param delays of workloads that ask a database; empty: nothing between
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Dimensions(
            List<String> jdks,
            @Nullable Integer jdkLimit,
            List<Servers> servers,
            List<Scenario> scenarios,
            List<String> collectors,
            List<Limits> limits,
            List<DatabaseDelay> delays) {
        public Dimensions {
            jdks = List.copyOf(jdks);
            servers = List.copyOf(servers);
            scenarios = List.copyOf(scenarios);
            collectors = List.copyOf(collectors);
            limits = limits == null ? List.of() : List.copyOf(limits); // matrices stored before there were any
            delays = delays == null ? List.of() : List.copyOf(delays);
        }

        /** Cells of a scenario that every JDK build adds. */
        private int cellsPerScenario() {
            return servers.stream().mapToInt(s -> s.variants().size()).sum()
                    * Math.max(1, collectors.size())
                    * Math.max(1, limits.size())
                    * Math.max(1, delays.size());
        }
    }

    /** A server and which of its variants. */
    public record Servers(String server, List<String> variants) {
        public Servers {
            variants = List.copyOf(variants);
        }
    }

    /** @param params laid over the workload's defaults */
    public record Scenario(String workload, Map<String, Object> params, Load load) {
        public Scenario {
            params = Map.copyOf(params);
        }
    }

    /**
     * How many of each kind a cell has.
     *
     * @param further scored ones that the cells of a run may get beyond these, all together, where the spread of the first asks for
     *     it; null: none
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Trials(
            int scored, int diagnostic, @Nullable Integer further) {

        /** Fewer blocks say too little of the spread to give further ones by it. */
        public static final int LEAST_PILOT = 5;

        public Trials(int scored, int diagnostic) {
            this(scored, diagnostic, null);
        }
    }

    /** The same with another number of trials a cell. */
    public MatrixSpec with(Trials other) {
        return new MatrixSpec(
                schema,
                name,
                title,
                protocol,
                dimensions,
                jvmOptions,
                other,
                phases,
                maxWorkers,
                timeoutSeconds,
                requires);
    }

    /** The same with other options of the JVM. */
    public MatrixSpec with(List<String> otherJvmOptions) {
        return new MatrixSpec(
                schema,
                name,
                title,
                protocol,
                dimensions,
                otherJvmOptions,
                trials,
                phases,
                maxWorkers,
                timeoutSeconds,
                requires);
    }

    /** The same with other dimensions. */
    MatrixSpec with(Dimensions other) {
        return new MatrixSpec(
                schema, name, title, protocol, other, jvmOptions, trials, phases, maxWorkers, timeoutSeconds, requires);
    }

    public int trialsPerCell() {
        return trials.scored() + trials.diagnostic();
    }

    /** Seconds that a trial takes at most, roughly: a plan's length, not a promise. */
    public double longestSeconds(Load load, TrialKind kind) {
        Phases.Diagnostic diagnostic = phases.diagnostic();
        Phases.Adaptive adaptive = phases.adaptive();
        double fixed = phases.settleSeconds() + phases.rewarmSeconds() + OVERHEAD_SECONDS;
        if (kind == TrialKind.DIAGNOSTIC && diagnostic != null) {
            double settling = adaptive == null ? 0 : adaptive.settleCapSeconds();
            return fixed + settling + diagnostic.warmupSeconds() + diagnostic.seconds();
        }
        if (adaptive != null) {
            return fixed + adaptive.longestSeconds() + load.longestSeconds();
        }
        double warmup = phases.warmup().stream()
                .mapToDouble(Phases.Warmup::longestSeconds)
                .sum();
        return fixed + warmup + load.longestSeconds();
    }

    /** Seconds that all trials of a cell take at most, roughly. */
    public double longestSecondsOfCell(Load load) {
        return trials.scored() * longestSeconds(load, TrialKind.SCORED)
                + trials.diagnostic() * longestSeconds(load, TrialKind.DIAGNOSTIC);
    }

    /** Trials that every JDK build adds. */
    public int trialsPerJdk() {
        return dimensions.cellsPerScenario() * dimensions.scenarios().size() * trialsPerCell();
    }

    /** Seconds that every JDK build adds, at most and roughly. */
    public double longestSecondsPerJdk() {
        int cells = dimensions.cellsPerScenario();
        return dimensions.scenarios().stream()
                .mapToDouble(s -> cells * longestSecondsOfCell(s.load()))
                .sum();
    }
}
