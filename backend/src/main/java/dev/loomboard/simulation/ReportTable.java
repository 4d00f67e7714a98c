package dev.loomboard.simulation;

import dev.loomboard.stats.Estimate;
import dev.loomboard.stats.Ranks;
import dev.loomboard.stats.RunSpread;
import dev.loomboard.stats.paired.Power;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** A report as plain text; an exclamation mark follows a figure that misses its goal. */
public final class ReportTable {

    private final StringBuilder text = new StringBuilder();
    private final SimulationSetup scenario;

    private ReportTable(SimulationSetup scenario) {
        this.scenario = scenario;
    }

    public static String of(SimulationReport report) {
        ReportTable table = new ReportTable(report.scenario());
        table.setting(report);
        table.quiet(report.quiet());
        report.slower().forEach(table::slower);
        report.power().forEach(table::power);
        report.compared().forEach(table::compared);
        table.ranked(report.ranked());
        report.findable().forEach(table::findable);
        return table.text.toString();
    }

    private void setting(SimulationReport report) {
        SimulationSetup.Policy policy = scenario.policy();
        line(
                "Methodology %s, seed %d, %d series of each kind of noise; 95 %% intervals in brackets; ! misses its goal",
                report.methodology(), report.seed(), report.series());
        line(
                "Spread on the ln scale: launches %s, %d a night, %s of them lost; nights %s, shared with the control",
                percent(scenario.night().spread()),
                scenario.night().launches(),
                percent(scenario.night().loss()),
                percent(scenario.night().nightSpread()));
        line(
                "Suspect: window %d, p %s, merged within %d points, levels of %d together. Rerun: looks at %s paired blocks, together wrong in %s %%",
                policy.window(),
                policy.maxP(),
                policy.merged(),
                policy.leastPoints(),
                joined(policy.looks(), String::valueOf),
                decimals(100 * policy.looksAlpha()));
        line(
                "History: once, at %d points of the new level, p ≤ %s, also without the weakest point; then the same relative to the control",
                policy.historyPoints(), String.format(Locale.ROOT, "%.4f", policy.historyAlpha()));
    }

    private void quiet(List<SimulationReport.Quiet> rows) {
        line(
                "%nNo change for %d nights. False messages per year of an installation of %d series (goal ≤ %.0f), by rerun + by history + by the screen's reruns. Suspects and standing ones per series, shifts that history alone would have reported per year, reruns that the screen would start per night",
                scenario.nights(), scenario.installation(), Goals.MESSAGES);
        head("suspects; standing; unattributed; screened");
        for (SimulationReport.Quiet row : rows) {
            List<String> cells = new ArrayList<>(List.of(
                    figure(row.suspects(), 1) + "; " + decimals(row.standing().value()) + "; "
                            + decimals(row.unattributed().value()) + "; "
                            + decimals(row.screened().value())));
            row.messages()
                    .forEach(m -> cells.add("%s%s (%d + %d + %d)"
                            .formatted(
                                    figure(m.perYear(), 1), mark(m.good()), m.byRerun(), m.byHistory(), m.byScreen())));
            row(row.noise().title(), cells);
        }
    }

    private void slower(SimulationReport.Slower slower) {
        SimulationSetup.Slowdown slowdown = slower.slowdown();
        line(
                "%nSlower by %s (%s) after %d points. %% confirmed within %d points%s; within %d; their median",
                slowdown.title(),
                percent(slowdown.change()),
                scenario.history(),
                Detection.SOON,
                slowdown.sure() ? " (goal ≥ " + percent(Goals.FOUND) + ")" : "",
                scenario.followed());
        head("suspected");
        for (SimulationReport.Found row : slower.found()) {
            List<String> cells = new ArrayList<>(List.of(delay(row.suspected(), true)));
            row.confirmed().forEach(c -> cells.add(delay(c.delay(), c.good())));
            row(row.noise().title(), cells);
        }
    }

    private void power(PowerTable power) {
        line(
                "%nReruns at a launch spread of %s, margin %s. %% confirmed once started (! misses its goal), %% cleared, blocks in the mean; screen and rerun: %% found"
                        + " in the night of the change, within %d nights, of an installation of %d series / of %d",
                percent(power.spread()),
                percent(power.delta()),
                Detection.SOON,
                scenario.installation(),
                scenario.few());
        StringBuilder head = new StringBuilder("%-24s".formatted(""));
        scenario.changes().forEach(change -> head.append("%-54s".formatted("slower by " + percent(change))));
        text.append(head.toString().stripTrailing()).append('\n');
        for (PowerTable.Row row : power.rows()) {
            StringBuilder cells =
                    new StringBuilder("%-24s".formatted(row.noise().title()));
            row.cells().forEach(cell -> cells.append("%-54s".formatted(power(cell))));
            text.append(cells.toString().stripTrailing()).append('\n');
        }
    }

    private static String power(PowerTable.Cell cell) {
        return "%s%s, %s, %s; %s, %s / %s, %s"
                .formatted(
                        decimals(100 * cell.found().value()),
                        mark(cell.good()),
                        decimals(100 * cell.cleared().value()),
                        String.format(Locale.ROOT, "%.1f", cell.blocks()),
                        decimals(100 * cell.screened().firstNight().value()),
                        decimals(100 * cell.screened().soon().value()),
                        decimals(100 * cell.few().firstNight().value()),
                        decimals(100 * cell.few().soon().value()));
    }

    private void compared(SimulationReport.Compared compared) {
        line(
                "%n%d paired blocks, families of %d cells. Coverage of the 95 %% interval (goal %s to %s). %% of equal cells called different: unadjusted,"
                        + " adjusted, families with one (goal of both ≤ %s); of one cell slower by %s, called so after adjustment",
                compared.blocks(),
                scenario.comparisons().cells(),
                percent(Goals.LEAST_COVERAGE),
                percent(Goals.MOST_COVERAGE),
                percent(Goals.WRONG),
                joined(scenario.comparisons().effects(), ReportTable::percent));
        head("coverage, %");
        for (SimulationReport.Intervals row : compared.intervals()) {
            List<String> cells = new ArrayList<>(List.of(figure(row.coverage(), 100) + mark(row.good())));
            row.verdicts()
                    .forEach(v -> cells.add("%s, %s, %s%s; %s"
                            .formatted(
                                    decimals(100 * v.alone().value()),
                                    String.format(
                                            Locale.ROOT,
                                            "%.3f",
                                            100 * v.adjusted().value()),
                                    figure(v.families(), 100),
                                    mark(v.good()),
                                    joined(v.seen(), seen -> decimals(100 * seen.value())))));
            row(row.noise().title(), cells);
        }
    }

    private void ranked(List<SimulationReport.Ranked> kinds) {
        line(
                "%nRanks: one entry %s better, the others equal, %d trials each, spread of launches %s. %% of boards that order no two equal entries"
                        + " (goal ≥ %s); that place the better one first",
                percent(RankCoverage.AHEAD),
                Ranks.TRIALS_TO_RANK,
                percent(RankCoverage.LAUNCH_SPREAD),
                percent(Goals.RANKS));
        row(
                "spread of runs; known",
                kinds.getFirst().rows().stream()
                        .map(board -> board.entries() + " entries")
                        .toList());
        for (SimulationReport.Ranked kind : kinds) {
            String known = kind.of().runs() == 0
                    ? percent(RunSpread.FLOOR) + " assumed"
                    : kind.of().runs() + " runs";
            row(
                    percent(kind.of().runSpread()) + "; " + known,
                    kind.rows().stream()
                            .map(board -> figure(board.held(), 100) + mark(board.good()) + "; "
                                    + decimals(100 * board.told().value()))
                            .toList());
        }
    }

    private void findable(SimulationReport.Findable findable) {
        line(
                "%nChanges that %d paired blocks should find with power %s, margin %s, spread of launches %s: size by the true spread and %% found of it; %% found of the"
                        + " size that other blocks stated (goal of both within %s of it); %% of stated ranges that hold the first",
                findable.blocks(),
                Power.WANTED,
                percent(FindablePower.MARGIN.delta()),
                percent(FindablePower.LAUNCH_SPREAD),
                percent(Goals.FINDABLE));
        wide(
                "",
                findable.stated().getFirst().families().stream()
                        .map(of -> of.cells() == 1 ? "one cell" : "of a family of " + of.cells())
                        .toList());
        for (SimulationReport.Stated row : findable.stated()) {
            wide(
                    row.noise().title(),
                    row.families().stream().map(ReportTable::findable).toList());
        }
    }

    private static String findable(SimulationReport.OfFamily of) {
        return "%s: %s%s; %s%s; %s"
                .formatted(
                        percent(of.size()),
                        figure(of.found(), 100),
                        mark(of.good()),
                        figure(of.printed(), 100),
                        mark(of.goodPrinted()),
                        decimals(100 * of.held().value()));
    }

    private void head(String second) {
        List<String> cells = new ArrayList<>(List.of(second));
        scenario.deltas().forEach(delta -> cells.add("δ = " + percent(delta)));
        row("", cells);
    }

    private void line(String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private void row(String first, List<String> cells) {
        row(first, cells, "%-50s");
    }

    private void wide(String first, List<String> cells) {
        row(first, cells, "%-66s");
    }

    private void row(String first, List<String> cells, String form) {
        StringBuilder row = new StringBuilder("%-24s".formatted(first));
        cells.forEach(cell -> row.append(form.formatted(cell)));
        text.append(row.toString().stripTrailing()).append('\n');
    }

    private static String delay(SimulationReport.Delay delay, boolean good) {
        Integer points = delay.points();
        return "%s%s; %s; %s"
                .formatted(
                        figure(delay.soon(), 100),
                        mark(good),
                        decimals(100 * delay.ever().value()),
                        points == null ? "–" : points);
    }

    private static String mark(boolean good) {
        return good ? "" : "!";
    }

    private static String figure(Estimate estimate, int times) {
        return "%s [%s–%s]"
                .formatted(
                        decimals(times * estimate.value()),
                        decimals(times * estimate.low()),
                        decimals(times * estimate.high()));
    }

    private static <T> String joined(List<T> values, Function<T, String> text) {
        return String.join(", ", values.stream().map(text).toList());
    }

    private static String decimals(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * share).replace(".0 %", " %");
    }
}
