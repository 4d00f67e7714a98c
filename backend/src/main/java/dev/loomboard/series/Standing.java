package dev.loomboard.series;

import dev.loomboard.catalog.Metrics;
import dev.loomboard.leaderboard.EntryRow;
import dev.loomboard.stats.Ranks;
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
 * @param name ranked, provisional or unranked; on the leaderboard also few
 * @param reasons why not ranked, in words, each with what is the cell's own in parentheses; empty: ranked
 */
record Standing(String name, List<String> reasons) {

    Standing {
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
        static @Nullable Fault of(CellFacts.Trial trial) {
            if (!trial.done()) {
                return trial.state().equals("failed") ? FAILED : ABORTED;
            }
            return switch (trial.validity()) {
                case null -> NOTHING;
                case "invalid" -> INVALID;
                case String usable when "no_steady_state".equals(trial.steady()) -> UNSTEADY;
                case "suspect" -> SUSPECT;
                case String valid when "drift".equals(trial.steady()) -> DRIFTED;
                case String valid -> null;
            };
        }

        boolean spoils() {
            return this != SUSPECT && this != DRIFTED;
        }
    }

    private static final String RANKED = "ranked";
    private static final String PROVISIONAL = "provisional";
    static final String SAME_HOST = "same-host";

    /** Of a cell whose scored trials have all ended. */
    static Standing of(CellFacts cell) {
        List<String> broken = broken(cell.scored());
        if (!broken.isEmpty()) {
            return new Standing("unranked", broken);
        }
        List<String> weak = weak(cell);
        return new Standing(weak.isEmpty() ? RANKED : PROVISIONAL, weak);
    }

    /**
     * As it stands beside others, for which it also needs what its scenario ranks by. With few trials it is not even
     * provisional there; in a history it is a point like others.
     *
     * @param headline null: the scenario declares none; @param figure its figure; null: not measured
     */
    Standing onBoard(CellFacts cell, @Nullable String headline, EntryRow.@Nullable Figure figure) {
        if (!name.equals(RANKED) && !name.equals(PROVISIONAL)) {
            return this;
        }
        List<String> all = new ArrayList<>(reasons);
        int trials = cell.scored().size();
        lack(headline, figure, Math.min(trials, Ranks.TRIALS_TO_RANK)).ifPresent(all::add);
        if (trials < Ranks.TRIALS_TO_APPEAR) {
            return new Standing("few", all);
        }
        return new Standing(all.isEmpty() ? RANKED : PROVISIONAL, all);
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
    String reason() {
        return reasons.isEmpty() ? null : String.join("; ", reasons);
    }

    private static List<String> broken(List<CellFacts.Trial> trials) {
        List<String> reasons = faults(trials, true);
        if (differ(trials, CellFacts.Trial::serverDigest)) {
            reasons.add("its trials ran different builds of the server");
        }
        if (differ(trials, CellFacts.Trial::fingerprintHash)) {
            reasons.add("the host changed between its trials");
        }
        return reasons;
    }

    private static List<String> weak(CellFacts cell) {
        List<String> reasons = new ArrayList<>();
        List<CellFacts.Trial> trials = cell.scored();
        if (trials.size() < Ranks.TRIALS_TO_RANK) {
            reasons.add(trials.size() + (trials.size() == 1 ? " trial" : " trials") + " of the " + Ranks.TRIALS_TO_RANK
                    + " that a rank needs");
        }
        reasons.addAll(faults(trials, false));
        if (!cell.qualified()) {
            reasons.add("the machine has not passed its qualification");
        }
        if (SAME_HOST.equals(cell.placement())) {
            reasons.add("load and server shared the machine's cores");
        }
        return reasons;
    }

    /** One sentence for all trials that the same befell for the same reason. */
    private static List<String> faults(List<CellFacts.Trial> trials, boolean spoilt) {
        Map<Said, List<CellFacts.Trial>> by = new LinkedHashMap<>();
        for (CellFacts.Trial trial : trials) {
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
        String sentence(List<CellFacts.Trial> trials) {
            String numbers =
                    trials.stream().map(t -> String.valueOf(t.ordinal())).collect(Collectors.joining(", "));
            return (trials.size() == 1
                            ? "trial " + numbers + " " + fault.ofOne
                            : "trials " + numbers + " " + fault.ofMany)
                    + (why == null ? "" : " (" + why + ")");
        }
    }

    private static boolean differ(List<CellFacts.Trial> trials, Function<CellFacts.Trial, @Nullable String> fact) {
        return trials.stream().map(fact).filter(Objects::nonNull).distinct().count() > 1;
    }
}
