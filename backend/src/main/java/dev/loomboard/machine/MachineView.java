package dev.loomboard.machine;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.cell.RunState;
import dev.loomboard.cell.Visibility;
import dev.loomboard.inventory.Inventory;
import dev.loomboard.inventory.Qualification;
import dev.loomboard.inventory.QualificationCell;
import dev.loomboard.inventory.ResourceClass;
import dev.loomboard.inventory.ServerOffer;
import dev.loomboard.jdk.JdkBuild;
import dev.loomboard.kernel.MachineId;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.measurement.DoctorReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A machine as its page and its JSON twin show it.
 *
 * @param queue what it has to do
 * @param odd what of its results is odd, and possible all the same
 * @param changes of its host, newest first
 * @param goneJdks builds that it had
 * @param jdkProgress what brings builds to it now; null: nothing does
 */
public record MachineView(
        Summary summary,
        @JsonUnwrapped Host host,
        List<JdkBuild> jdks,
        List<Inventory.ExcludedJdk> excludedJdks,
        List<ServerOffer> servers,
        List<RecentRun> runs,
        MachineQueue queue,
        @Nullable DoctorReport doctor,
        @JsonUnwrapped Qualified qualified,
        List<Oddity> odd,
        List<HostChange> changes,
        List<GoneJdk> goneJdks,
        @Nullable JdkProgress jdkProgress) {

    /** An agent calls at least every half minute; one that has not for this long is away. */
    static final Duration ONLINE = Duration.ofSeconds(90);

    /**
     * What lists show.
     *
     * @param reruns whether suspected changes are followed up on it by themselves
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
            @JsonUnwrapped Since since,
            @JsonUnwrapped Tags tags,
            int jdkCount) {

        public @Nullable Instant qualifiedAt() {
            return since.qualifiedAt();
        }

        public @Nullable Instant admittedAt() {
            return since.admittedAt();
        }

        public @Nullable Instant drainingSince() {
            return since.drainingSince();
        }

        /** Whether its runs were measured elsewhere and no agent here owns it. */
        public boolean imported() {
            return since.importedAt() != null;
        }

        public List<String> labels() {
            return tags.labels();
        }

        public List<String> offeredLabels() {
            return tags.offeredLabels();
        }

        public @Nullable String classLabel() {
            return tags.classLabel();
        }

        /** All, each once. */
        public List<String> allLabels() {
            return Stream.concat(labels().stream(), offeredLabels().stream())
                    .distinct()
                    .sorted()
                    .toList();
        }

        public boolean isPublic() {
            return visibility.isPublic();
        }

        /** Whether its results may rank where everybody sees them. */
        public boolean admitted() {
            return admittedAt() != null;
        }

        /** Whether it finishes what it has and takes nothing new. */
        public boolean draining() {
            return drainingSince() != null && !agent.revoked();
        }

        /** Whether its agent calls. */
        public boolean online(Instant now) {
            return !agent.revoked()
                    && agent.lastSeenAt() != null
                    && agent.lastSeenAt().isAfter(now.minus(ONLINE));
        }

        /** Why what it measures is provisional; null: it is not. */
        public @Nullable String provisionalReason() {
            return qualifiedAt() == null ? "It has not passed an A/A qualification." : null;
        }
    }

    /**
     * Since when it is what it is; null: it is not.
     *
     * @param admittedAt to public ranks; else what it measures stands apart there
     * @param importedAt of one that no agent here owns: its runs were measured elsewhere, and the first came then
     * @param drainingSince from when on it is given no new run
     */
    public record Since(
            @Nullable Instant qualifiedAt,
            @Nullable Instant admittedAt,
            @Nullable Instant drainingSince,
            @Nullable Instant importedAt) {}

    /**
     * By what matrices and people tell machines apart.
     *
     * @param labels that its owners gave it
     * @param offeredLabels that its agent's configuration has
     */
    public record Tags(
            List<String> labels,
            List<String> offeredLabels,
            @Nullable String classLabel) {
        public Tags {
            labels = List.copyOf(labels);
            offeredLabels = List.copyOf(offeredLabels);
        }
    }

    /** What it is, as its agent found; null: it has not said. */
    public record Host(
            @Nullable String fingerprintHash, @Nullable String classHash, Map<String, Object> facts) {}

    /**
     * @param qualification the attempt that decides; null: there was none
     * @param attempts all, newest first
     * @param spreads what the attempt that decides found
     */
    public record Qualified(@Nullable Qualification qualification, List<Qualification> attempts, List<Spread> spreads) {
        public Qualified {
            attempts = List.copyOf(attempts);
            spreads = List.copyOf(spreads);
        }

        static Qualified of(@Nullable Qualification qualification, List<Qualification> attempts) {
            return new Qualified(
                    qualification,
                    attempts,
                    qualification == null
                            ? List.of()
                            : qualification.measured().stream()
                                    .flatMap(Spread::of)
                                    .toList());
        }
    }

    /**
     * How much trials of one cell differ on the machine: coefficient of variation, as a share, with its 95 % interval.
     *
     * @param resource null: of one cell that was to stand for all
     * @param decidable smallest difference that the trials exclude, as a share
     */
    public record Spread(
            @Nullable ResourceClass resource,
            String metric,
            int trials,
            double spread,
            double low,
            double high,
            @Nullable Double decidable) {

        private static Stream<Spread> of(QualificationCell cell) {
            return cell.noise().stream().flatMap(noise -> of(cell, noise).stream());
        }

        private static Optional<Spread> of(QualificationCell cell, QualificationCell.Noise noise) {
            return Optional.ofNullable(noise.spread())
                    .map(spread -> new Spread(
                            cell.resource(),
                            noise.metric(),
                            cell.trials(),
                            spread.value(),
                            spread.low(),
                            spread.high(),
                            noise.same() == null ? null : noise.same().decidable()));
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
        odd = List.copyOf(odd);
        changes = List.copyOf(changes);
        goneJdks = List.copyOf(goneJdks);
    }

    public @Nullable String fingerprintHash() {
        return host.fingerprintHash();
    }

    public Map<String, Object> facts() {
        return host.facts();
    }

    public @Nullable Qualification qualification() {
        return qualified.qualification();
    }

    public List<Qualification> attempts() {
        return qualified.attempts();
    }

    /** Why what it measures is provisional, as exactly as it is known; null: it is not. */
    public @Nullable String provisionalReason() {
        Qualification decided = qualification();
        String why = decided == null ? null : decided.whyNot(fingerprintHash());
        return why == null || summary.qualifiedAt() != null ? summary.provisionalReason() : why;
    }

    public List<Facts.Fact> factList() {
        return Facts.flat(facts());
    }
}
