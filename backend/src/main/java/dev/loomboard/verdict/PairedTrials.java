package dev.loomboard.verdict;

import dev.loomboard.cell.TrialState;
import dev.loomboard.stats.latency.Failures;
import dev.loomboard.stats.paired.Block;
import dev.loomboard.stats.paired.Effect;
import dev.loomboard.stats.paired.Exclusions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The trials of two cells on one metric, put into blocks: the k-th of each, if they ran under one lease, next to each
 * other, and both can be used.
 *
 * @param blocks in order of execution
 * @param numbers of their trials
 * @param looks how many there were in all at each look of a rerun; else at the one look
 * @param suspect of these, with a trial whose health was in doubt
 * @param baseline values that can be used, in a block or not
 * @param candidate values that can be used, in a block or not
 * @param lost those that cannot be used, with their partners
 * @param failedBaseline trials that failed
 * @param failedCandidate trials that failed
 * @param reasons why there can be no verdict, in words that name no side; empty: there can
 */
public record PairedTrials(
        List<Block> blocks,
        List<Integer> numbers,
        List<Integer> looks,
        int suspect,
        List<Double> baseline,
        List<Double> candidate,
        Exclusions exclusions,
        LostTrials lost,
        int failedBaseline,
        int failedCandidate,
        List<String> reasons) {

    private static final Function<RunTrial, @Nullable String> SERVER = RunTrial::serverDigest;

    /**
     * How many blocks consist of the given number of first trials of a cell.
     *
     * @param trials null: all are
     */
    public int within(@Nullable Integer trials) {
        return within(numbers, trials);
    }

    static int within(List<Integer> numbers, @Nullable Integer trials) {
        return trials == null
                ? numbers.size()
                : Math.toIntExact(numbers.stream().filter(n -> n <= trials).count());
    }

    /** Each side's scored trials, in order of their numbers. */
    public static PairedTrials of(
            TestDimension axis, String metric, List<RunTrial> baseline, List<RunTrial> candidate) {
        List<RunTrial> a = usable(metric, baseline);
        List<RunTrial> b = usable(metric, candidate);
        Exclusions exclusions = new Exclusions(
                ended(baseline) - a.size(), ended(baseline), ended(candidate) - b.size(), ended(candidate));
        List<Block> blocks = new ArrayList<>();
        List<Integer> numbers = new ArrayList<>();
        List<Integer> looks = new ArrayList<>(Collections.nCopies(looks(baseline, candidate), 0));
        int suspect = 0;
        for (RunTrial one : a) {
            RunTrial other = partner(one, b).orElse(null);
            if (other != null) {
                blocks.add(new Block(one.value(metric), other.value(metric)));
                numbers.add(one.ordinal());
                for (int look = one.look(); look <= looks.size(); look++) {
                    looks.set(look - 1, blocks.size());
                }
                suspect += one.suspect() || other.suspect() ? 1 : 0;
            }
        }
        List<String> reasons = new ArrayList<>();
        if (axis == TestDimension.SERVER ? changed(a, SERVER) || changed(b, SERVER) : changed(both(a, b), SERVER)) {
            reasons.add("its trials ran different builds of the server");
        }
        if (!metric.equals(DeclaredTest.FAILED)) {
            Failures.gate(failed(baseline)).ifPresent(words -> reasons.add("on one side " + words));
            Failures.gate(failed(candidate)).ifPresent(words -> reasons.add("on one side " + words));
        }
        if (hostChanged(both(a, b))) {
            reasons.add("the host changed between its trials");
        }
        exclusions.asymmetry().ifPresent(words -> reasons.add("the sides lost different shares of their trials"));
        if (blocks.size() < Effect.LEAST_BLOCKS) {
            reasons.add(tooFew(metric, blocks.size(), baseline, candidate));
        }
        return new PairedTrials(
                List.copyOf(blocks),
                List.copyOf(numbers),
                List.copyOf(looks),
                suspect,
                values(metric, a),
                values(metric, b),
                exclusions,
                LostTrials.of(metric, baseline, candidate),
                failures(baseline),
                failures(candidate),
                List.copyOf(reasons));
    }

    private static int looks(List<RunTrial> baseline, List<RunTrial> candidate) {
        return both(baseline, candidate).stream().mapToInt(RunTrial::look).max().orElse(1);
    }

    /** Within a look: the blocks of one stand by themselves, whatever the host was at another. */
    private static boolean hostChanged(List<RunTrial> trials) {
        return trials.stream().collect(Collectors.groupingBy(RunTrial::look)).values().stream()
                .anyMatch(look -> changed(look, RunTrial::fingerprint));
    }

    static Optional<RunTrial> partner(RunTrial one, List<RunTrial> others) {
        return others.stream()
                .filter(other -> other.ordinal() == one.ordinal() && other.fencing() == one.fencing())
                .findFirst();
    }

    private static List<RunTrial> usable(String metric, List<RunTrial> trials) {
        return trials.stream().filter(trial -> trial.unusable(metric) == null).toList();
    }

    /** Of all that measured something: where hits failed the metric itself may not be usable. */
    private static List<Double> failed(List<RunTrial> trials) {
        return trials.stream()
                .filter(trial -> trial.spoilt() == null)
                .flatMap(trial -> trial.failedShare().stream())
                .toList();
    }

    private static int failures(List<RunTrial> trials) {
        return Math.toIntExact(trials.stream()
                .filter(trial -> trial.state() == TrialState.FAILED)
                .count());
    }

    private static int ended(List<RunTrial> trials) {
        return Math.toIntExact(trials.stream().filter(RunTrial::ended).count());
    }

    private static List<Double> values(String metric, List<RunTrial> trials) {
        return trials.stream().map(trial -> trial.value(metric)).toList();
    }

    private static boolean changed(List<RunTrial> trials, Function<RunTrial, @Nullable String> fact) {
        return trials.stream().map(fact).filter(Objects::nonNull).distinct().count() > 1;
    }

    private static List<RunTrial> both(List<RunTrial> a, List<RunTrial> b) {
        return Stream.concat(a.stream(), b.stream()).toList();
    }

    /** With what befell the first trial that cannot be used, if it is that which makes them few. */
    private static String tooFew(String metric, int blocks, List<RunTrial> baseline, List<RunTrial> candidate) {
        if (ended(baseline) + ended(candidate) == 0) {
            return "no scored trial ended, and diagnostic ones are never compared";
        }
        String few = blocks + (blocks == 1 ? " block" : " blocks") + " of paired trials, " + Effect.LEAST_BLOCKS
                + " are needed";
        return Stream.concat(baseline.stream(), candidate.stream())
                .filter(RunTrial::ended)
                .filter(trial -> trial.unusable(metric) != null)
                .findFirst()
                .map(trial -> few + " (trial " + trial.ordinal() + ": " + trial.unusable(metric) + ")")
                .orElse(few);
    }
}
