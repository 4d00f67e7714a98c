package dev.loomboard.machine;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.cell.RunState;
import dev.loomboard.cell.Visibility;
import dev.loomboard.jdk.JdkBuild;
import dev.loomboard.kernel.MachineId;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.measurement.DoctorReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A machine as its page and its JSON twin show it.
 *
 * @param queue what it has to do
 * @param attempts at its qualification, newest first
 * @param odd what of its results is odd, and possible all the same
 * @param changes of its host, newest first
 * @param goneJdks builds that it had
 */
public record MachineView(
        Summary summary,
        @Nullable String fingerprintHash,
        @Nullable String classHash,
        Map<String, Object> facts,
        List<JdkBuild> jdks,
        List<Inventory.ExcludedJdk> excludedJdks,
        List<ServerOffer> servers,
        List<RecentRun> runs,
        MachineQueue queue,
        @Nullable DoctorReport doctor,
        @Nullable Qualification qualification,
        List<Qualification> attempts,
        List<Oddity> odd,
        List<HostChange> changes,
        List<GoneJdk> goneJdks) {

    /** An agent calls at least every half minute; one that has not for this long is away. */
    static final Duration ONLINE = Duration.ofSeconds(90);

    /**
     * What lists show.
     *
     * @param reruns whether suspected changes are followed up on it by themselves
     * @param admittedAt to public ranks; null: what it measures stands apart there
     * @param labels that its owners gave it
     * @param offeredLabels that its agent's configuration has
     * @param drainingSince from when on it is given no new run; null: it is given them
     */
    public record Summary(
            MachineId key,
            WorkspaceId workspaceKey,
            String id,
            String workspace,
            String slug,
            String name,
            Visibility visibility,
            boolean reruns,
            @JsonUnwrapped Agent agent,
            @Nullable Instant qualifiedAt,
            @Nullable Instant admittedAt,
            @Nullable Instant drainingSince,
            List<String> labels,
            List<String> offeredLabels,
            @Nullable String classLabel,
            int jdkCount) {

        public Summary {
            labels = List.copyOf(labels);
            offeredLabels = List.copyOf(offeredLabels);
        }

        /** All, each once. */
        public List<String> allLabels() {
            return Stream.concat(labels.stream(), offeredLabels.stream())
                    .distinct()
                    .sorted()
                    .toList();
        }

        public boolean isPublic() {
            return visibility.isPublic();
        }

        /** Whether its results may rank where everybody sees them. */
        public boolean admitted() {
            return admittedAt != null;
        }

        /** Whether it finishes what it has and takes nothing new. */
        public boolean draining() {
            return drainingSince != null && !agent.revoked();
        }

        /** Whether its agent calls. */
        public boolean online(Instant now) {
            return !agent.revoked()
                    && agent.lastSeenAt() != null
                    && agent.lastSeenAt().isAfter(now.minus(ONLINE));
        }

        /** Why what it measures is provisional; null: it is not. */
        public @Nullable String provisionalReason() {
            return qualifiedAt == null ? "It has not passed an A/A qualification." : null;
        }
    }

    /**
     * The agent of a machine.
     *
     * @param keyLast4 of its key; null once revoked
     * @param revokedAt when its key was ended for good, which retires the machine; null: it is in use
     * @param keyExpiresAt null: never, or it was revoked
     * @param agentVersion null: it has not called yet
     */
    public record Agent(
            @Nullable String keyLast4,
            @Nullable Instant keyExpiresAt,
            @Nullable String agentVersion,
            Instant registeredAt,
            @Nullable Instant revokedAt,
            @Nullable Instant lastSeenAt) {

        public boolean revoked() {
            return revokedAt != null;
        }
    }

    /** @param lastAt when its agent last named it */
    public record GoneJdk(String slug, int feature, Instant lastAt) {}

    public record RecentRun(String id, String title, RunState state, Instant createdAt) {}

    public MachineView {
        jdks = List.copyOf(jdks);
        excludedJdks = List.copyOf(excludedJdks);
        servers = List.copyOf(servers);
        runs = List.copyOf(runs);
        attempts = List.copyOf(attempts);
        odd = List.copyOf(odd);
        changes = List.copyOf(changes);
        goneJdks = List.copyOf(goneJdks);
    }

    /** Why what it measures is provisional, as exactly as it is known; null: it is not. */
    public @Nullable String provisionalReason() {
        String why = qualification == null ? null : qualification.whyNot(fingerprintHash);
        return why == null || summary.qualifiedAt() != null ? summary.provisionalReason() : why;
    }

    public List<Facts.Fact> factList() {
        return Facts.flat(facts);
    }
}
