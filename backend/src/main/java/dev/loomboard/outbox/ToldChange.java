package dev.loomboard.outbox;

import dev.loomboard.cell.Jdk;
import dev.loomboard.changepoint.ConfirmedBy;
import dev.loomboard.regression.HostControl;
import dev.loomboard.regression.Regression;
import dev.loomboard.stats.paired.Verdict;
import dev.loomboard.verdict.Outcome;
import dev.loomboard.verdict.VerdictText;
import dev.loomboard.view.Format;
import dev.loomboard.view.ScenarioText;
import dev.loomboard.view.Sentence;
import dev.loomboard.web.Urls;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One cell of a notice and what changed of it, in words.
 *
 * @param cell server, variant, scenario and what else sets it apart
 * @param metric its title
 * @param good the build that it was compared with
 * @param found the verdict's words, with the effect and its 95 % interval
 * @param levels before and after; empty: the verdict has them
 * @param sure how it was confirmed and by how many trials
 * @param reran whether a rerun measured both builds in turns
 * @param doubts what makes it weaker than it looks
 * @param evidence path of the run that confirmed it; of what its history confirmed that of the run that first had it; null: neither is left
 * @param page path of the change's own page; null: it has none
 * @param effect ratio, new ÷ before; null: not known
 */
public record ToldChange(
        Cell cell,
        String metric,
        Jdk good,
        String found,
        String levels,
        String sure,
        boolean reran,
        List<String> doubts,
        @Nullable String evidence,
        @Nullable String page,
        @Nullable Double effect) {

    public ToldChange {
        doubts = List.copyOf(doubts);
    }

    public record Cell(String server, String variant, String scenario, String load, String collector, String machine) {

        static Cell of(String server, String variant, String scenarioKey, String collector, String machine) {
            ScenarioText scenario = ScenarioText.of(scenarioKey);
            return new Cell(server, variant, scenario.name(), scenario.load(), collector, machine);
        }

        /** Such as "tiny plain, empty, 10/s for 1 s, G1". */
        String words(boolean withMachine) {
            return server + " " + variant + ", " + scenario + (load.isEmpty() ? "" : ", " + load) + ", " + collector
                    + (withMachine ? ", on " + machine : "");
        }
    }

    static ToldChange of(Regression change) {
        Regression.Rerun rerun = change.state().confirmedBy() == ConfirmedBy.RERUN ? change.rerun() : null;
        Outcome outcome = rerun == null ? null : rerun.outcome();
        VerdictText words = change.rerunVerdict();
        return rerun == null || outcome == null || words == null
                ? ofHistory(change)
                : new ToldChange(
                        cell(change),
                        change.catalogued().title(),
                        change.good(),
                        words(words, outcome),
                        change.levels(),
                        "confirmed by a rerun, " + words.basis(),
                        true,
                        sentences(words.doubts()),
                        Urls.run(rerun.run()),
                        Urls.regression(change.id()),
                        outcome.found().effect());
    }

    private static ToldChange ofHistory(Regression change) {
        HostControl control = change.evidence().control();
        HostControl.Beside beside = control == null ? null : control.beside();
        String run = change.shift().run();
        return new ToldChange(
                cell(change),
                change.catalogued().title(),
                change.good(),
                (change.state().worse() ? "worse" : "better")
                        + (beside == null
                                ? ""
                                : ", " + Format.change(beside.against()) + " relative to its control (95 % interval "
                                        + Format.change(beside.againstLow()) + " to "
                                        + Format.change(beside.againstHigh()) + ")"),
                change.levels(),
                "confirmed by its history and a control",
                false,
                List.of(change.controlWords()),
                run == null ? null : Urls.run(run),
                Urls.regression(change.id()),
                beside == null ? null : Double.valueOf(beside.against()));
    }

    private static Cell cell(Regression change) {
        return Cell.of(
                change.cell().server().name(),
                change.cell().server().variant(),
                change.cell().scenarioKey(),
                change.cell().settings().collector(),
                change.cell().machineName());
    }

    /**
     * What a rerun found to fail more.
     *
     * @param outcome of the build that fails more against the one before
     */
    static ToldChange failing(Cell cell, Jdk good, Outcome outcome, int familySize, String run) {
        VerdictText words = new VerdictText(outcome, familySize);
        return new ToldChange(
                cell,
                "Failed requests",
                good,
                words(words, outcome),
                "",
                "found by a rerun, " + words.basis(),
                true,
                sentences(words.doubts()),
                Urls.run(run),
                null,
                null);
    }

    /** How far the effect is from none, for the order. */
    double size() {
        return effect == null || effect <= 0 ? Double.MAX_VALUE : Math.abs(Math.log(effect));
    }

    /** The interval is one of ratios: not of shares of failed requests. */
    private static String words(VerdictText text, Outcome outcome) {
        Verdict verdict = outcome.verdict();
        Double low = outcome.found().low();
        Double high = outcome.found().high();
        boolean ratio = verdict == Verdict.SLOWER || verdict == Verdict.FASTER;
        return text.verdict()
                + (ratio && low != null && high != null
                        ? " (95 % interval " + Format.change(low) + " to " + Format.change(high) + ")"
                        : "");
    }

    private static List<String> sentences(List<String> reasons) {
        return reasons.stream().map(Sentence::of).toList();
    }
}
