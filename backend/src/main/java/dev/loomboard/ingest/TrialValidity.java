package dev.loomboard.ingest;

import dev.loomboard.measurement.SearchEnd;
import dev.loomboard.measurement.Validity;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How sound a trial is, by its steps.
 *
 * @param validity null: it measured nothing
 * @param reason why not valid; null: it is
 */
record TrialValidity(@Nullable Validity validity, @Nullable String reason) {

    private static final TrialValidity NOTHING = new TrialValidity(null, null);
    /** Rates are sent in thousandths. */
    private static final double SENT = 0.001;

    /** @param rate 0: a closed load, or a task */
    record Step(
            int ordinal,
            double rate,
            Validity validity,
            @Nullable String reason) {}

    /**
     * That of its worst step. Of a search that found its rate, that of the steps which the result stands on.
     *
     * @param steps by ordinal
     * @param search null: the load was none
     */
    static TrialValidity of(List<Step> steps, @Nullable SearchEnd search) {
        return (search == null ? steps : standingOn(steps, search))
                .stream()
                        .reduce((worst, step) -> step.validity().compareTo(worst.validity()) > 0 ? step : worst)
                        .map(worst -> new TrialValidity(
                                worst.validity(), worst.validity() == Validity.VALID ? null : worst.reason()))
                        .orElse(NOTHING);
    }

    /**
     * One step that passed at the rate that was found, and one that failed at the lowest rate above it that did, each the
     * soundest of its rate: a search makes invalid steps again, and those elsewhere bound nothing. All steps, where it found
     * no rate, or nothing bounds it.
     */
    private static List<Step> standingOn(List<Step> steps, SearchEnd search) {
        Double found = search.maxRate();
        if (found == null || !search.confirmed() || !search.resolved()) {
            return steps;
        }
        List<Step> failed = said(SearchEnd.Verdict.FAIL, steps, search).stream()
                .filter(step -> step.rate() > found + SENT)
                .toList();
        Optional<Step> lowest = failed.stream().min(Comparator.comparing(Step::rate));
        Optional<Step> bound = lowest.flatMap(step -> soundest(failed, step.rate()));
        Optional<Step> passed = soundest(said(SearchEnd.Verdict.PASS, steps, search), found);
        return passed.isPresent() && bound.isPresent() ? List.of(passed.get(), bound.get()) : steps;
    }

    private static List<Step> said(SearchEnd.Verdict verdict, List<Step> steps, SearchEnd search) {
        Set<Integer> ordinals = search.steps().stream()
                .filter(step -> step.verdict() == verdict)
                .map(SearchEnd.Step::ordinal)
                .collect(Collectors.toSet());
        return steps.stream().filter(step -> ordinals.contains(step.ordinal())).toList();
    }

    private static Optional<Step> soundest(List<Step> steps, double rate) {
        return steps.stream()
                .filter(step -> Math.abs(step.rate() - rate) <= SENT)
                .min(Comparator.comparing(Step::validity));
    }
}
