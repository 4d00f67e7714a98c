package dev.loomboard.verdict;

import dev.loomboard.catalog.Metrics;
import dev.loomboard.rollup.Instrument;
import dev.loomboard.stats.Better;
import dev.loomboard.stats.Margin;
import dev.loomboard.stats.Scale;
import dev.loomboard.stats.paired.Bimodality;
import dev.loomboard.stats.paired.Block;
import dev.loomboard.stats.paired.CrossChecks;
import dev.loomboard.stats.paired.Effect;
import dev.loomboard.stats.paired.Exclusions;
import dev.loomboard.stats.paired.Family;
import dev.loomboard.stats.paired.FindableChange;
import dev.loomboard.stats.paired.Judgement;
import dev.loomboard.stats.paired.Verdict;
import dev.loomboard.view.Format;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Judges all tests of a run at once, since each verdict's p is adjusted for its whole family. */
final class Judge {

    private Judge() {}

    /**
     * @param id internal key
     * @param baseline internal key of the cell
     * @param candidate internal key of the cell
     * @param scenarioKey of both
     * @param planned scored trials of each of the two; null: as many as the run says
     */
    record Test(
            long id,
            TestDimension axis,
            long baseline,
            long candidate,
            String metric,
            String scenarioKey,
            @Nullable Integer planned) {

        Test(long id, TestDimension axis, long baseline, long candidate, String metric, String scenarioKey) {
            this(id, axis, baseline, candidate, metric, scenarioKey, null);
        }

        DeclaredTest.Family family() {
            return DeclaredTest.Family.of(axis, metric);
        }
    }

    /**
     * @param effect null: too few blocks or a value that has no logarithm
     * @param reason null: there is a verdict
     */
    private record Finding(
            Test test,
            PairedTrials paired,
            @Nullable Effect effect,
            @Nullable String reason) {
        @Nullable
        Double p() {
            return effect == null || reason != null ? null : Double.valueOf(effect.p());
        }
    }

    /** In the order of the tests; all blocks have come, and are looked at once. */
    static List<Outcome> of(List<Test> tests, List<RunTrial> trials) {
        return of(tests, trials, RunLayout.AT_ONCE);
    }

    /** In the order of the tests. */
    static List<Outcome> of(List<Test> tests, List<RunTrial> trials, RunLayout layout) {
        Map<Long, List<RunTrial>> cells = cells(trials);
        List<Finding> findings =
                tests.stream().map(test -> finding(test, cells, layout)).toList();
        Map<DeclaredTest.Family, Iterator<Outcome>> families = new LinkedHashMap<>();
        findings.stream()
                .collect(Collectors.groupingBy(finding -> finding.test().family()))
                .forEach((family, of) -> families.put(family, family(of, layout).iterator()));
        return tests.stream()
                .map(test -> Objects.requireNonNull(families.get(test.family())).next())
                .toList();
    }

    private static Map<Long, List<RunTrial>> cells(List<RunTrial> trials) {
        Map<Long, List<RunTrial>> cells = new LinkedHashMap<>();
        trials.stream()
                .sorted(Comparator.comparingInt(RunTrial::ordinal))
                .forEach(trial -> cells.computeIfAbsent(trial.cell(), cell -> new ArrayList<>())
                        .add(trial));
        return cells;
    }

    /** For each test the trials of its two cells in blocks. */
    static List<PairedTrials> paired(List<Test> tests, List<RunTrial> trials) {
        Map<Long, List<RunTrial>> cells = cells(trials);
        return tests.stream().map(test -> paired(test, cells)).toList();
    }

    private static PairedTrials paired(Test test, Map<Long, List<RunTrial>> cells) {
        return PairedTrials.of(
                test.axis(),
                test.metric(),
                cells.getOrDefault(test.baseline(), List.of()),
                cells.getOrDefault(test.candidate(), List.of()));
    }

    private static List<Outcome> family(List<Finding> findings, RunLayout layout) {
        List<@Nullable Double> p = new ArrayList<>();
        findings.forEach(finding -> p.add(finding.p()));
        @Nullable Double[] adjusted = Family.adjusted(p);
        List<Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < findings.size(); i++) {
            Finding finding = findings.get(i);
            RunLayout own = layout.with(finding.test().planned());
            Judgement judgement = judgement(finding, adjusted[i], findings.size(), own);
            boolean survives = judgement == null || survives(judgement.verdict(), findings, i, p, own);
            outcomes.add(outcome(finding, adjusted[i], judgement, survives, own));
        }
        return outcomes;
    }

    /** Whether the verdict would be the same whatever the trials that were lost had shown. */
    private static boolean survives(
            Verdict verdict, List<Finding> family, int place, List<@Nullable Double> p, RunLayout layout) {
        Finding finding = family.get(place);
        LostTrials lost = finding.paired().lost();
        Better better = better(finding.test());
        Margin margin = DeclaredTest.margin(finding.test().metric());
        return lost.count() == 0
                || lost.against(verdict, better).stream().allMatch(imputed -> {
                    Effect effect = effect(finding.test(), imputed.blocks(), layout.pilotOf(imputed.numbers()))
                            .orElse(null);
                    if (effect == null) {
                        return false;
                    }
                    List<@Nullable Double> all = new ArrayList<>(p);
                    all.set(place, effect.p());
                    double ofFamily = Objects.requireNonNull(Family.adjusted(all)[place]);
                    return Verdict.of(effect, better, margin, layout.adjusted(effect.p(), ofFamily, imputed.looks()))
                            == verdict;
                });
    }

    private static @Nullable Judgement judgement(
            Finding finding, @Nullable Double ofFamily, int familySize, RunLayout layout) {
        Effect effect = finding.effect();
        return effect == null || ofFamily == null
                ? null
                : Judgement.of(
                        effect,
                        better(finding.test()),
                        DeclaredTest.margin(finding.test().metric()),
                        layout.adjusted(effect.p(), ofFamily, finding.paired().looks()),
                        layout.level(familySize, finding.paired().looks()));
    }

    private static Finding finding(Test test, Map<Long, List<RunTrial>> cells, RunLayout layout) {
        PairedTrials paired = paired(test, cells);
        Optional<Effect> effect = effect(test, paired.blocks(), layout.pilotOf(paired.numbers()));
        List<String> reasons = new ArrayList<>(paired.reasons());
        if (effect.isEmpty() && paired.blocks().size() >= Effect.LEAST_BLOCKS) {
            reasons.add("a trial's value is 0, so there is no ratio");
        }
        double resolution = resolution(test, paired.blocks());
        effect.map(found -> DeclaredTest.margin(test.metric()).inUnit(found.baseline(), found.candidate()))
                .filter(margin -> margin < resolution)
                .ifPresent(margin -> reasons.add(tooCoarse(test, resolution, margin)));
        return new Finding(test, paired, effect.orElse(null), reasons.isEmpty() ? null : String.join("; ", reasons));
    }

    private static Optional<Effect> effect(Test test, List<Block> blocks, int pilot) {
        return Effect.of(scale(test), blocks, pilot, resolution(test, blocks));
    }

    /** The coarsest step in which the values were told, in the metric's unit; 0: not known to have any. */
    private static double resolution(Test test, List<Block> blocks) {
        return blocks.stream()
                .flatMap(block -> Stream.of(block.baseline(), block.candidate()))
                .map(value -> Instrument.resolution(test.metric(), value, test.scenarioKey()))
                .filter(Objects::nonNull)
                .mapToDouble(step -> step)
                .max()
                .orElse(0);
    }

    private static String tooCoarse(Test test, double resolution, double margin) {
        String unit = Metrics.all().get(test.metric()).unit();
        return "the instrument resolves %s %s here, the margin is %s %s"
                .formatted(Format.three(resolution), unit, Format.three(margin), unit);
    }

    private static Outcome outcome(
            Finding finding,
            @Nullable Double ofFamily,
            @Nullable Judgement judgement,
            boolean survives,
            RunLayout layout) {
        Test test = finding.test();
        PairedTrials paired = finding.paired();
        Effect effect = finding.effect();
        Margin margin = DeclaredTest.margin(test.metric());
        CrossChecks checks = effect == null ? null : CrossChecks.of(effect, paired.blocks());
        return new Outcome(
                paired.blocks().size(),
                paired.suspect(),
                effect == null
                        ? Outcome.Found.NOTHING
                        : new Outcome.Found(
                                effect.baseline(),
                                effect.candidate(),
                                effect.size(),
                                effect.interval().low(),
                                effect.interval().high(),
                                effect.degrees()),
                judgement == null
                        ? new Outcome.Decision(
                                finding.p(), ofFamily, null, null, null, null, null, Outcome.Findable.NONE)
                        : decision(finding, judgement, survives),
                checks == null
                        ? new Outcome.Checks(null, null, null)
                        : new Outcome.Checks(checks.welch(), checks.mannWhitney(), checks.disagreement()),
                new Outcome.Excluded(
                        paired.exclusions().baseline(),
                        paired.exclusions().ofBaseline(),
                        paired.exclusions().candidate(),
                        paired.exclusions().ofCandidate()),
                lost(paired, survives),
                modes(test.metric(), margin, paired.baseline()),
                modes(test.metric(), margin, paired.candidate()),
                new Outcome.Looked(
                        layout.look(), layout.cutShortOf(paired.blocks().size())),
                finding.reason());
    }

    private static Outcome.Decision decision(Finding finding, Judgement judgement, boolean survives) {
        Verdict verdict = finding.test().metric().equals(DeclaredTest.FAILED)
                ? judgement.verdict().ofFailures()
                : judgement.verdict();
        return new Outcome.Decision(
                finding.p(),
                judgement.adjustedP(),
                survives ? verdict : Verdict.INCONCLUSIVE,
                judgement.margin(),
                judgement.decidable(),
                survives ? judgement.furtherBlocks() : null,
                survives ? judgement.furtherBlocksMost() : null,
                findable(judgement.findable()));
    }

    private static Outcome.Findable findable(@Nullable FindableChange change) {
        return change == null
                ? Outcome.Findable.NONE
                : new Outcome.Findable(change.size(), change.low(), change.high());
    }

    private static Outcome.Lost lost(PairedTrials paired, boolean survives) {
        int baseline = paired.failedBaseline();
        int candidate = paired.failedCandidate();
        return new Outcome.Lost(
                survives ? null : Integer.valueOf(paired.lost().count()),
                baseline,
                candidate,
                baseline + candidate == 0
                        ? null
                        : Double.valueOf(new Exclusions(
                                        baseline,
                                        paired.exclusions().ofBaseline(),
                                        candidate,
                                        paired.exclusions().ofCandidate())
                                .fisher()));
    }

    private static @Nullable String modes(String metric, Margin margin, List<Double> values) {
        String unit = Metrics.all().get(metric).unit();
        return Bimodality.of(margin, values)
                .map(modes -> "%d trials about %s %s, %d about %s"
                        .formatted(
                                modes.inLower(),
                                Format.three(modes.lower()),
                                unit,
                                modes.inHigher(),
                                Format.three(modes.higher())))
                .orElse(null);
    }

    private static Scale scale(Test test) {
        return Metrics.all().get(test.metric()).scale();
    }

    private static Better better(Test test) {
        return Metrics.all().get(test.metric()).direction();
    }
}
