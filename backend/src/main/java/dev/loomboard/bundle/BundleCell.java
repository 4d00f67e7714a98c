package dev.loomboard.bundle;

import dev.loomboard.cell.CellSettings;
import dev.loomboard.cell.ConcurrencyModel;
import dev.loomboard.cell.Limits;
import dev.loomboard.cell.ServerVariant;
import dev.loomboard.expansion.Cell;
import dev.loomboard.expansion.PlannedScenario;
import dev.loomboard.jdk.JdkBuild;
import dev.loomboard.kernel.FieldChecks;
import dev.loomboard.scenario.CanonicalText;
import dev.loomboard.scenario.DatabaseDelay;
import dev.loomboard.scenario.Load;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One point of the run's matrix.
 *
 * @param jdk slug of its build; null: the server has no JVM
 * @param scored trials that it was given after the first blocks, these included; null: as many as the matrix says
 */
public record BundleCell(
        int ordinal,
        Server server,
        Scenario scenario,
        String collector,
        List<String> jvmOptions,
        Limits limits,
        @Nullable String jdk,
        @Nullable Integer scored) {

    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,62}");
    private static final Pattern COLLECTOR = Pattern.compile("[A-Za-z0-9][A-Za-z0-9 .+-]{0,59}");

    /**
     * What was measured.
     *
     * @param framework null: not known
     */
    public record Server(
            String name, String variant, @Nullable String framework, ConcurrencyModel concurrencyModel) {
        public Server {
            FieldChecks.matching("name", name, NAME);
            FieldChecks.matching("variant", variant, NAME);
            FieldChecks.atMostOrNull("framework", framework, 200);
            FieldChecks.present("concurrencyModel", concurrencyModel);
        }
    }

    /**
     * What was sent.
     *
     * @param key follows from workload, its version, params, load and databaseDelay
     * @param databaseDelay null: nothing stands between server and database
     */
    public record Scenario(
            String key,
            String workload,
            int workloadVersion,
            Map<String, Object> params,
            double declaredDelayMs,
            Load load,
            @Nullable DatabaseDelay databaseDelay) {
        public Scenario {
            FieldChecks.matching("workload", workload, NAME);
            FieldChecks.between("workloadVersion", workloadVersion, 1, 1_000_000);
            params = FieldChecks.map("params", FieldChecks.names("params", params));
            FieldChecks.allStorable("params", params);
            params.forEach((name, value) -> plain("params." + name, value));
            FieldChecks.finite("declaredDelayMs", declaredDelayMs);
            FieldChecks.notNegative("declaredDelayMs", (long) Math.floor(declaredDelayMs));
            FieldChecks.present("load", load);
            String due = CanonicalText.scenarioKey(workload, workloadVersion, params, databaseDelay, load);
            if (!due.equals(key)) {
                throw new FieldChecks.Refused(
                        "key", "must follow from workload, params, databaseDelay and load: " + due);
            }
        }

        /** As a matrix may state it, so that it stands in a scenario's key. */
        private static void plain(String field, Object value) {
            switch (value) {
                case String text -> FieldChecks.atMost(field, text, 1000);
                case Boolean flag -> {}
                case Number number -> FieldChecks.finite(field, number.doubleValue());
                default -> throw new FieldChecks.Refused(field, "must be a text, a number or a truth value");
            }
        }
    }

    public BundleCell {
        FieldChecks.notNegative("ordinal", ordinal);
        FieldChecks.present("server", server);
        FieldChecks.present("scenario", scenario);
        FieldChecks.matching("collector", collector, COLLECTOR);
        jvmOptions = FieldChecks.list("jvmOptions", jvmOptions, 100);
        jvmOptions.forEach(option -> FieldChecks.text("jvmOptions", option, 1000));
        FieldChecks.present("limits", limits);
        FieldChecks.positive("limits.cpu", limits.cpu());
        if (limits.memoryMiB() != null) {
            FieldChecks.between("limits.memoryMiB", limits.memoryMiB(), 1, Integer.MAX_VALUE);
        }
        if (scored != null) {
            FieldChecks.between("scored", scored, 1, 10_000);
        }
    }

    /** As the service lays matrices out. */
    public Cell cell(String protocol, JdkBuild build) {
        return new Cell(
                ordinal,
                new ServerVariant(server.name(), server.variant(), server.concurrencyModel(), server.framework()),
                new PlannedScenario(
                        scenario.key(),
                        scenario.workload(),
                        scenario.workloadVersion(),
                        scenario.params(),
                        scenario.load(),
                        scenario.databaseDelay()),
                scenario.declaredDelayMs(),
                new CellSettings(collector, jvmOptions, limits, protocol),
                build);
    }
}
