package dev.loomboard.jdkpages;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.cell.Availability;
import dev.loomboard.cell.Jdk;
import dev.loomboard.cell.Limits;
import dev.loomboard.cell.ServerVariant;
import dev.loomboard.cell.Standing;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A build as pages show it.
 *
 * @param lineage how it was built: vendor, compiler, libc and the like
 * @param machines that the caller may see and that hold it
 * @param conflicts of such machines: what they say otherwise of the same files
 * @param results cells of the leaderboard on it that the caller may see
 */
public record JdkView(
        @JsonUnwrapped @JsonIgnoreProperties({"version", "earlyAccess"})
        Jdk jdk,

        Map<String, String> lineage,
        Instant firstSeenAt,
        List<Machine> machines,
        List<Conflict> conflicts,
        int results) {

    /** @param present whether its last inventory still named the build */
    public record Machine(String workspace, String slug, String name, boolean present) {}

    /**
     * What the newest inventory of a machine says otherwise.
     *
     * @param claims each field and what it says of it
     */
    public record Conflict(String workspace, String slug, String name, List<String> claims, Instant reportedAt) {
        public Conflict {
            claims = List.copyOf(claims);
        }
    }

    /**
     * A cell's newest numbers on the build; its JSON is flat.
     *
     * @param histories by metric, the series that its number is a point of
     */
    public record Result(
            String scenarioKey,
            @JsonUnwrapped ServerVariant server,
            String collector,
            List<String> jvmOptions,
            Limits limits,
            String run,
            Map<String, String> histories,
            @JsonUnwrapped Figures figures,
            Standing standing,
            @Nullable String reason,
            Instant measuredAt) {}

    /** Null: not measured. */
    public record Figures(
            @Nullable Double p50,
            @Nullable Double p99,
            boolean p99Eligible,
            @Nullable Double cpu,
            @Nullable Double rss) {}

    public JdkView {
        lineage = Map.copyOf(lineage);
        machines = List.copyOf(machines);
        conflicts = List.copyOf(conflicts);
    }

    /**
     * Builds of early access and releases flow into one history: the last before this one, of the same vendor, that has results; where it
     * or all of these have none, the last that a machine had. Null: there is none.
     *
     * @param all the newest first
     */
    static @Nullable JdkView before(JdkView build, List<JdkView> all) {
        return last(build, all, b -> b.jdk.feature() == build.jdk.feature());
    }

    /** The same of releases of any feature. */
    static @Nullable JdkView releaseBefore(JdkView build, List<JdkView> all) {
        return last(build, all, b -> !b.jdk.earlyAccess());
    }

    private static @Nullable JdkView last(JdkView build, List<JdkView> all, Predicate<JdkView> wanted) {
        List<JdkView> older = all.stream()
                .skip(all.indexOf(build) + 1L)
                .filter(b -> b.jdk.vendor().equals(build.jdk.vendor())
                        && b.jdk.architecture().equals(build.jdk.architecture())
                        && (b.results > 0 || !b.machines.isEmpty())
                        && wanted.test(b))
                .toList();
        return older.stream()
                .filter(b -> build.results > 0 && b.results > 0)
                .findFirst()
                .orElse(older.isEmpty() ? null : older.getFirst());
    }

    public String slug() {
        return jdk.slug();
    }

    @JsonProperty
    public String runtimeVersion() {
        return jdk.runtimeVersion();
    }

    @JsonProperty
    public Availability availability() {
        return jdk.availability();
    }
}
