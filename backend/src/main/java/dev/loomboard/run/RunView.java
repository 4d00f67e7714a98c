package dev.loomboard.run;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.loomboard.cell.Jdk;
import dev.loomboard.cell.Limits;
import dev.loomboard.cell.Retracted;
import dev.loomboard.cell.RunState;
import dev.loomboard.cell.WireName;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.view.Format;
import dev.loomboard.view.MetricReading;
import dev.loomboard.view.Scenario;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A run as pages show it.
 *
 * @param id external id
 * @param state as {@link RunState#wire}
 * @param followUp made by the service, because changes are suspected
 * @param bisects external id of the change whose bisection it is a step of; null: of none
 * @param plannedSeconds what its trials take at most, roughly; null, as their number: queued before that was stored
 * @param progress what the agent last said
 * @param cells in the matrix's order
 */
public record RunView(
        String id,
        @JsonIgnore WorkspaceId workspaceId,
        String workspace,
        String title,
        String state,
        String visibility,
        String matrixSlug,
        String matrixTitle,
        String machineSlug,
        String machineName,
        @Nullable String schedule,
        @Nullable String scheduleSlug,
        String protocol,
        boolean followUp,
        @Nullable String bisects,
        @Nullable Integer plannedTrials,
        @Nullable Double plannedSeconds,
        @Nullable String failure,
        boolean cancelRequested,
        int attempts,
        Instant createdAt,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt,
        Told progress,
        List<String> notices,
        List<Cell> cells) {

    /** What the agent last said; null: it has not. @param spooled batches not yet acknowledged */
    public record Told(
            @Nullable String trialId,
            @Nullable String phase,
            @Nullable Integer done,
            @Nullable Integer total,
            @Nullable Instant expectedEnd,
            @Nullable Integer spooled) {}

    /** @param trials in order of execution; empty until the run is leased */
    public record Cell(
            String id,
            int ordinal,
            Scenario scenario,
            String server,
            String variant,
            String concurrencyModel,
            List<String> jvmOptions,
            Limits limits,
            Jdk jdk,
            List<Trial> trials) {

        /** What is retracted of its trials, once; null: nothing. */
        public @Nullable String retracted() {
            String words = trials.stream()
                    .map(Trial::retracted)
                    .filter(Objects::nonNull)
                    .map(Retracted::words)
                    .distinct()
                    .collect(Collectors.joining("; "));
            return words.isEmpty() ? null : words;
        }
    }

    /** @param retracted null: its versions stand; @param readings of a scored trial that is done, by metric; a metric that is absent was not measured */
    public record Trial(
            String id,
            String kind,
            int ordinal,
            String state,
            @Nullable String phase,
            @Nullable String validity,
            @Nullable String reason,
            boolean late,
            @Nullable Retracted retracted,
            Map<String, MetricReading> readings) {

        /** Invalid (a spoilt generator) is neither failed nor aborted. */
        public String look() {
            return state.equals("done") && "invalid".equals(validity) ? "invalid" : state;
        }

        public String words() {
            String name = kind.equals("scored") ? "scored " + ordinal : "diagnostic";
            if (state.equals("running")) {
                return name + " · " + (phase == null ? "starting" : phase);
            }
            return look().equals("done") ? name : name + " · " + look();
        }

        public boolean ended() {
            return state.equals("done") || state.equals("failed") || state.equals("aborted");
        }
    }

    public RunView {
        notices = List.copyOf(notices);
        cells = List.copyOf(cells);
    }

    public boolean over() {
        return WireName.of(RunState.class, state).isOver();
    }

    public List<Trial> trials() {
        return cells.stream().flatMap(cell -> cell.trials().stream()).toList();
    }

    public int ended() {
        return (int) trials().stream().filter(Trial::ended).count();
    }

    public int total() {
        return trials().size();
    }

    /** How many trials ended how: done, invalid, failed, aborted apart. */
    public long count(String look) {
        return trials().stream().filter(t -> t.look().equals(look)).count();
    }

    /** What it takes, in words; empty: not known. */
    public String cost() {
        return plannedTrials == null || plannedSeconds == null ? "" : Format.cost(plannedTrials, plannedSeconds);
    }

    public @Nullable Duration took() {
        return startedAt == null || finishedAt == null ? null : Duration.between(startedAt, finishedAt);
    }

    /** Cells with a scored trial that has numbers. */
    public List<Cell> measured() {
        return cells.stream()
                .filter(c -> c.trials().stream().anyMatch(t -> !t.readings().isEmpty()))
                .toList();
    }
}
