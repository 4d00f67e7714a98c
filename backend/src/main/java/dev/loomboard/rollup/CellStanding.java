package dev.loomboard.rollup;

import dev.loomboard.catalog.Metrics;
import dev.loomboard.cell.Standing;
import dev.loomboard.cell.TrialState;
import dev.loomboard.measurement.Steadiness;
import dev.loomboard.ranking.EntryRow;
import dev.loomboard.scenario.Load;
import dev.loomboard.stats.Ranks;
import dev.loomboard.stats.latency.Failures;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Whether a cell's numbers rank.
 *
 * @param standing ranked, provisional or unranked; on the leaderboard also few
 * @param reasons why not ranked, in words, each with what is the cell's own in parentheses; empty: ranked
 */
public record CellStanding(Standing standing, List<String> reasons) {

    public CellStanding {
        reasons = List.copyOf(reasons);
    }

    /** What befell trials, of one and of several. */
    private enum Fault {
        FAILED("failed", "failed"),
        ABORTED("was aborted", "were aborted"),
        NOTHING("measured nothing", "measured nothing"),
        INVALID("is invalid", "are invalid"),
        UNSTEADY("never reached a steady state", "never reached a steady state"),
        SUSPECT("is suspect", "are suspect"),
        DRIFTED("drifted while measured", "drifted while measured");

        private final String ofOne;
        private final String ofMany;

        Fault(String ofOne, String ofMany) {
            this.ofOne = ofOne;
            this.ofMany = ofMany;
        }

        /** Null: nothing did. */
        public static @Nullable Fault of(FinishedCell.Trial trial) {
            if (!trial.done()) {
                return trial.state() == TrialState.FAILED ? FAILED : ABORTED;
            }
            boolean unsteady = trial.steady() == Steadiness.NO_STEADY_STATE;
            return switch (trial.validity()) {
                case null -> NOTHING;
                case INVALID -> INVALID;
                case SUSPECT -> unsteady ? UNSTEADY : SUSPECT;
                case VALID -> unsteady ? UNSTEADY : trial.steady() == Steadiness.DRIFT ? DRIFTED : null;
            };
        }

        public boolean spoils() {
            return this != SUSPECT && this != DRIFTED;
        }
    }

    static final String SAME_HOST = "same-host";

    /** Of a cell whose scored trials have all ended. */
    public static CellStanding of(FinishedCell cell) {
        List<String> broken = broken(cell);
        if (!broken.isEmpty()) {
            return new CellStanding(Standing.UNRANKED, broken);
        }
        List<String> weak = weak(cell);
        return new CellStanding(weak.isEmpty() ? Standing.RANKED : Standing.PROVISIONAL, weak);
    }

    /**
     * As it stands beside others, for which it also needs what its scenario ranks by. With few trials it is not even
     * provisional there; in a history it is a point like others.
     *
     * @param headline null: the scenario declares none
     * @param figure its figure; null: not measured
     */
    public CellStanding onBoard(FinishedCell cell, @Nullable String headline, EntryRow.@Nullable Figure figure) {
        if (standing != Standing.RANKED && standing != Standing.PROVISIONAL) {
            return this;
        }
        List<String> all = new ArrayList<>(reasons);
        int trials = cell.scored().size();
        lack(headline, figure, Math.min(trials, Ranks.TRIALS_TO_RANK)).ifPresent(all::add);
        if (trials < Ranks.TRIALS_TO_APPEAR) {
            return new CellStanding(Standing.FEW, all);
        }
        return new CellStanding(all.isEmpty() ? Standing.RANKED : Standing.PROVISIONAL, all);
    }

    private static Optional<String> lack(@Nullable String headline, EntryRow.@Nullable Figure figure, int needed) {
        if (headline == null) {
            return Optional.of("its load declares no metric to rank by");
        }
        String title =
                "what its scenario ranks by, " + Metrics.all().get(headline).title();
        if (figure == null) {
            return Optional.of(title + ", was not measured");
        }
        if (!figure.eligible()) {
            return Optional.of(title + ", may not be judged (" + figure.reason() + ")");
        }
        return figure.trials() < needed
                ? Optional.of(title + ", is missing from some trials (" + figure.trials() + " have it)")
                : Optional.empty();
    }

    /** All reasons as one sentence; null: ranked. */
    @Nullable
    public String reason() {
        return reasons.isEmpty() ? null : String.join("; ", reasons);
    }

    private static List<String> broken(FinishedCell cell) {
        List<FinishedCell.Trial> trials = cell.scored();
        List<String> reasons = faults(trials, true);
        Failures.gate(cell.failedShares()).ifPresent(reasons::add);
        if (trials.stream().anyMatch(FinishedCell.Trial::workDoneUnknown)) {
            reasons.add("its agent did not say how many requests were completed within the step: measure it again");
        }
        if (differ(trials, FinishedCell.Provenance::serverDigest)) {
            reasons.add("its trials ran different builds of the server");
        }
        if (differ(trials, FinishedCell.Provenance::fingerprintHash)) {
            reasons.add("the host changed between its trials");
        }
        return reasons;
    }

    private static List<String> weak(FinishedCell cell) {
        List<String> reasons = new ArrayList<>();
        List<FinishedCell.Trial> trials = cell.scored();
        if (trials.size() < Ranks.TRIALS_TO_RANK) {
            reasons.add(trials.size() + (trials.size() == 1 ? " trial" : " trials") + " of the " + Ranks.TRIALS_TO_RANK
                    + " that a rank needs");
        }
        reasons.addAll(faults(trials, false));
        if (!(cell.load() instanceof Load.Batch)) { // which is cold by definition
            reasons.addAll(cold(trials));
        }
        if (trials.stream().anyMatch(t -> t.done() && !t.provenance().cpusKnown())) {
            reasons.add("its CPU time could not be checked: the agent does not say how many CPUs the machine has");
        }
        if (!cell.machine().qualified()) {
            reasons.add("the machine has not passed its qualification");
        }
        if (SAME_HOST.equals(cell.machine().placement())) {
            reasons.add("load and server shared the machine's cores");
        }
        return reasons;
    }

    /** A sentence on those that were not warm, with the reasons of the first, and one on those nobody judged. */
    private static List<String> cold(List<FinishedCell.Trial> trials) {
        List<FinishedCell.Trial> done =
                trials.stream().filter(FinishedCell.Trial::done).toList();
        List<FinishedCell.Trial> cold = done.stream()
                .filter(t -> t.warm() instanceof MetricValue warm && !warm.eligible())
                .toList();
        List<String> sentences = new ArrayList<>();
        if (!cold.isEmpty()) {
            FinishedCell.Trial first = cold.getFirst();
            String why = Objects.requireNonNull(first.warm()).reason();
            sentences.add(subject(cold, "was", "were") + " not warm (trial " + first.ordinal() + ": " + why + ")");
        }
        List<FinishedCell.Trial> unknown =
                done.stream().filter(t -> t.warm() == null).toList();
        if (!unknown.isEmpty()) {
            sentences.add("whether " + subject(unknown, "was", "were") + " warm was not judged (an older agent)");
        }
        return sentences;
    }

    private static String subject(List<FinishedCell.Trial> trials, String ofOne, String ofMany) {
        String numbers = trials.stream().map(t -> String.valueOf(t.ordinal())).collect(Collectors.joining(", "));
        return trials.size() == 1 ? "trial " + numbers + " " + ofOne : "trials " + numbers + " " + ofMany;
    }

    /** One sentence for all trials that the same befell for the same reason. */
    private static List<String> faults(List<FinishedCell.Trial> trials, boolean spoilt) {
        Map<Said, List<FinishedCell.Trial>> by = new LinkedHashMap<>();
        for (FinishedCell.Trial trial : trials) {
            Fault fault = Fault.of(trial);
            if (fault != null && fault.spoils() == spoilt) {
                by.computeIfAbsent(new Said(fault, trial.reason()), said -> new ArrayList<>())
                        .add(trial);
            }
        }
        List<String> sentences = new ArrayList<>();
        by.forEach((said, of) -> sentences.add(said.sentence(of)));
        return sentences;
    }

    private record Said(Fault fault, @Nullable String why) {
        public String sentence(List<FinishedCell.Trial> trials) {
            return subject(trials, fault.ofOne, fault.ofMany) + (why == null ? "" : " (" + why + ")");
        }
    }

    private static boolean differ(
            List<FinishedCell.Trial> trials, Function<FinishedCell.Provenance, @Nullable String> fact) {
        return trials.stream()
                        .map(FinishedCell.Trial::provenance)
                        .map(fact)
                        .filter(Objects::nonNull)
                        .distinct()
                        .count()
                > 1;
    }
}
