package dev.loomboard.runpages;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.cell.Jdk;
import dev.loomboard.cell.Limits;
import dev.loomboard.cell.ServerVariant;
import dev.loomboard.cell.TrialKind;
import dev.loomboard.cell.TrialState;
import dev.loomboard.measurement.Phase;
import dev.loomboard.measurement.Steadiness;
import dev.loomboard.measurement.Validity;
import dev.loomboard.retracted.Retracted;
import dev.loomboard.view.MetricReading;
import dev.loomboard.view.ScenarioText;
import dev.loomboard.view.TrialLook;
import dev.loomboard.web.PageTwin;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A run with its cells, as programs read it.
 *
 * @param place in its machine's queue; null: it does not wait
 * @param cells in the matrix's order
 */
public record RunDetail(
        @JsonUnwrapped RunView run, @Nullable QueuePlace place, List<Cell> cells) implements PageTwin {

    public RunDetail {
        cells = List.copyOf(cells);
    }

    /**
     * @param trials in order of execution; empty until the run is leased
     * @param means over its scored trials, by metric, as its histories have them; a metric that is absent was not measured
     * @param operations of a mix under one rate or number of connections, by name; of others, none
     */
    public record Cell(
            String id,
            int ordinal,
            ScenarioText scenario,
            @JsonUnwrapped ServerVariant server,
            String collector,
            List<String> jvmOptions,
            Limits limits,
            Jdk jdk,
            List<Trial> trials,
            Map<String, MetricReading> means,
            List<CellOperation> operations) {

        public Cell {
            means = Map.copyOf(means);
        }

        /** With the operations of its mix, over the trials that count: those that are sound, or all where none is. */
        Cell with(RunOperationsStore.Found found) {
            List<Trial> newest = trials.stream()
                    .filter(t -> !t.late() && !t.replaced() && found.byTrial().containsKey(t.id()))
                    .sorted(Comparator.comparingInt(Trial::ordinal))
                    .toList();
            List<Trial> sound = newest.stream().filter(t -> t.leftOut() == null).toList();
            List<CellOperation.Measured> counted = (sound.isEmpty() ? newest : sound)
                    .stream()
                            .map(t -> new CellOperation.Measured(
                                    t.id(),
                                    t.ordinal(),
                                    Objects.requireNonNull(found.byTrial().get(t.id()))))
                            .toList();
            return new Cell(
                    id,
                    ordinal,
                    scenario,
                    server,
                    collector,
                    jvmOptions,
                    limits,
                    jdk,
                    trials,
                    means,
                    CellOperation.of(counted, !sound.isEmpty(), found.pilot()));
        }

        /** Whether something of it is to be measured again, once its run is over. */
        boolean failed() {
            return trials.isEmpty()
                    || trials.stream()
                            .anyMatch(t -> !t.late()
                                    && !t.replaced()
                                    && (t.state() == TrialState.FAILED || t.state() == TrialState.ABORTED));
        }

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

    /**
     * @param steady null: its phases had fixed times, or it has not ended
     * @param replaced another attempt at it counts: it was made again
     * @param retracted null: its versions are not retracted
     * @param readings of a scored trial that is done, by metric; a metric that is absent was not measured
     */
    public record Trial(
            String id,
            TrialKind kind,
            int ordinal,
            TrialState state,
            @Nullable Phase phase,
            @Nullable Validity validity,
            @Nullable Steadiness steady,
            @Nullable String reason,
            boolean late,
            boolean replaced,
            @Nullable Retracted retracted,
            Map<String, MetricReading> readings) {

        public TrialLook look() {
            return TrialLook.of(state, validity);
        }

        /** Why the cell's means leave it out; null: they do not. Where no trial is sound they are of all. */
        public @Nullable String leftOut() {
            return replaced
                    ? "it was repeated"
                    : validity == Validity.INVALID
                            ? "invalid"
                            : steady == Steadiness.NO_STEADY_STATE ? "never reached a steady state" : null;
        }

        public String words() {
            String name = kind == TrialKind.SCORED ? "scored " + ordinal : "diagnostic";
            if (state == TrialState.RUNNING) {
                return name + " · " + (phase == null ? "starting" : phase.words());
            }
            return look() == TrialLook.DONE ? name : name + " · " + look().wire();
        }
    }

    /** What each of its trials does, in words. */
    public String trialSteps() {
        return trialSteps(cells.stream().map(Cell::jdk).toList());
    }

    /** A server without a JVM has no GC to force. */
    static String trialSteps(List<Jdk> jdks) {
        if (jdks.stream().noneMatch(Jdk::none)) {
            return "Each trial starts a fresh JVM: start, verify, warm up, forced GC, settle, measure, stop.";
        }
        return jdks.stream().allMatch(Jdk::none)
                ? "Each trial starts a fresh process: start, verify, warm up, settle, measure, stop."
                : "Each trial starts a fresh JVM, or a fresh process for a server without one: start, verify, warm up,"
                        + " forced GC of a JVM, settle, measure, stop.";
    }

    public TrialCounts counts() {
        return TrialCounts.of(trials().toList());
    }

    public Stream<Trial> trials() {
        return cells.stream().flatMap(cell -> cell.trials().stream());
    }

    /** Cells that a retry measures again; none before the run is over. */
    public List<Cell> failed() {
        return run.over() ? cells.stream().filter(Cell::failed).toList() : List.of();
    }

    /** Cells whose workload is a mix of which something was measured. */
    public List<Cell> mixed() {
        return cells.stream().filter(c -> !c.operations().isEmpty()).toList();
    }

    /** Cells whose results are summed up. */
    public List<Cell> summedUp() {
        return cells.stream().filter(c -> !c.means().isEmpty()).toList();
    }

    /** Cells with a scored trial that has numbers. */
    public List<Cell> measured() {
        return cells.stream()
                .filter(c -> c.trials().stream().anyMatch(t -> !t.readings().isEmpty()))
                .toList();
    }
}
