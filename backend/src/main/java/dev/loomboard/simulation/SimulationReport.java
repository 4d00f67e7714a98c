package dev.loomboard.simulation;

import dev.loomboard.stats.Estimate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The figures of a simulation, made of its counts: what the command prints and the methodology page shows. */
public record SimulationReport(
        String methodology,
        long seed,
        int series,
        SimulationSetup scenario,
        List<Quiet> quiet,
        List<Slower> slower,
        List<PowerTable> power,
        List<Compared> compared,
        List<Ranked> ranked,
        List<Findable> findable) {

    /**
     * A year without a change.
     *
     * @param suspects per series, each of which costs a rerun
     * @param standing of them at the year's end
     * @param unattributed shifts per year of an installation that history alone would have told people of at the smallest margin
     * @param screened reruns per night of an installation that the screen would start
     */
    public record Quiet(
            Noise noise,
            Estimate suspects,
            Estimate standing,
            Estimate unattributed,
            Estimate screened,
            List<False> messages) {}

    /**
     * @param perYear false messages of an installation, whatever started their reruns
     * @param byRerun of all those that were counted, by reruns that the detector starts
     * @param byHistory of all those that were counted
     * @param byScreen of all those that were counted, by reruns that the screen starts
     * @param good whether the goal is met, here as below
     */
    public record False(double delta, Estimate perYear, int byRerun, int byHistory, boolean good, int byScreen) {}

    public record Slower(SimulationSetup.Slowdown slowdown, List<Found> found) {}

    public record Found(Noise noise, Delay suspected, List<Confirmed> confirmed) {}

    public record Confirmed(double delta, Delay delay, boolean good) {}

    /**
     * @param soon share found within {@link Detection#SOON} points
     * @param points median of those found; null: none was
     */
    public record Delay(
            Estimate soon, Estimate ever, @Nullable Integer points) {}

    /** Paired blocks of each comparison. */
    public record Compared(int blocks, List<Intervals> intervals) {}

    public record Intervals(Noise noise, Estimate coverage, boolean good, List<Verdicts> verdicts) {}

    /**
     * @param alone share of equal cells called different without adjustment
     * @param adjusted with it
     * @param families share of families of equal cells that have such a one
     * @param seen of one cell that differs, by {@link SimulationSetup.Comparisons#effects}: share in which it is called slower, after adjustment
     */
    public record Verdicts(
            double delta, Estimate alone, Estimate adjusted, Estimate families, boolean good, List<Estimate> seen) {}

    /**
     * Boards of one kind.
     *
     * @param rows by size
     */
    public record Ranked(RankCoverage.Case of, List<Board> rows) {}

    /**
     * @param held share that orders no two equal entries
     * @param told share that places the better one first
     */
    public record Board(int entries, Estimate held, boolean good, Estimate told) {}

    /** Changes that blocks of this number should find. */
    public record Findable(int blocks, List<Stated> stated) {}

    /** @param families by size */
    public record Stated(Noise noise, List<OfFamily> families) {}

    /**
     * @param size that is stated of the true spread
     * @param found share of changes of that size
     * @param printed share of changes of the size that other blocks stated
     * @param held share of stated ranges that hold {@code size}
     */
    public record OfFamily(
            int cells,
            double size,
            Estimate found,
            boolean good,
            Estimate printed,
            boolean goodPrinted,
            Estimate held) {}

    /** Of a night's reruns, which the screen is sized by. */
    public int screenBlocks() {
        return SimulatedScreen.BLOCKS;
    }

    public static SimulationReport of(Simulation simulation) {
        SimulationSetup scenario = simulation.scenario();
        List<Quiet> quiet = new ArrayList<>();
        simulation.played().forEach(played -> quiet.add(quiet(played, scenario)));
        List<Slower> slower = new ArrayList<>();
        for (int i = 0; i < scenario.slowdowns().size(); i++) {
            int at = i;
            slower.add(new Slower(
                    scenario.slowdowns().get(i),
                    simulation.played().stream()
                            .map(played ->
                                    found(played.noise(), played.detections().get(at)))
                            .toList()));
        }
        List<Compared> compared = new ArrayList<>();
        for (int i = 0; i < scenario.comparisons().blocks().size(); i++) {
            int at = i;
            compared.add(new Compared(
                    scenario.comparisons().blocks().get(i),
                    simulation.played().stream()
                            .map(played -> intervals(
                                    played.noise(), played.calibrations().get(at)))
                            .toList()));
        }
        return new SimulationReport(
                simulation.methodology(),
                simulation.seed(),
                simulation.series(),
                scenario,
                quiet,
                slower,
                PowerTable.of(scenario, simulation.played()),
                compared,
                ranked(simulation.ranks()),
                findable(simulation.findable()));
    }

    private static List<Findable> findable(List<FindablePower> played) {
        Map<Integer, Map<Noise, List<OfFamily>>> rows = new LinkedHashMap<>();
        for (FindablePower of : played) {
            Estimate found = Estimate.share(of.found(), of.series());
            Estimate printed = Estimate.share(of.foundOfPrinted(), of.series());
            rows.computeIfAbsent(of.of().blocks(), blocks -> new LinkedHashMap<>())
                    .computeIfAbsent(of.of().noise(), noise -> new ArrayList<>())
                    .add(new OfFamily(
                            of.of().cells(),
                            of.size(),
                            found,
                            Goals.findable(found),
                            printed,
                            Goals.findable(printed),
                            Estimate.share(of.held(), of.series())));
        }
        return rows.entrySet().stream()
                .map(of -> new Findable(
                        of.getKey(),
                        of.getValue().entrySet().stream()
                                .map(row -> new Stated(row.getKey(), row.getValue()))
                                .toList()))
                .toList();
    }

    private static List<Ranked> ranked(List<RankCoverage> played) {
        Map<RankCoverage.Case, List<Board>> rows = new LinkedHashMap<>();
        for (RankCoverage ranks : played) {
            Estimate held = Estimate.share(ranks.held(), ranks.boards());
            rows.computeIfAbsent(ranks.of(), of -> new ArrayList<>())
                    .add(new Board(
                            ranks.entries(), held, Goals.ranks(held), Estimate.share(ranks.told(), ranks.boards())));
        }
        return rows.entrySet().stream()
                .map(row -> new Ranked(row.getKey(), row.getValue()))
                .toList();
    }

    private static Quiet quiet(NoiseResult played, SimulationSetup scenario) {
        QuietYear year = played.year();
        double years = (double) year.series() / scenario.installation();
        List<False> messages = year.messages().stream()
                .map(m -> {
                    Estimate perYear = Estimate.rate(m.byRerun() + m.byHistory() + m.byScreen(), years);
                    return new False(
                            m.delta(), perYear, m.byRerun(), m.byHistory(), Goals.messages(perYear), m.byScreen());
                })
                .toList();
        return new Quiet(
                played.noise(),
                Estimate.rate(year.suspects(), year.series()),
                Estimate.rate(year.standing(), year.series()),
                Estimate.rate(year.unattributed(), years),
                Estimate.rate(year.screened(), years * scenario.nights()),
                messages);
    }

    private static Found found(Noise noise, Detection detection) {
        boolean sure = detection.slowdown().sure();
        List<Confirmed> confirmed = detection.confirmed().stream()
                .map(c -> {
                    Delay delay = detection.delay(c.nights());
                    return new Confirmed(c.delta(), delay, !sure || Goals.found(delay.soon()));
                })
                .toList();
        return new Found(noise, detection.delay(detection.suspected()), confirmed);
    }

    private static Intervals intervals(Noise noise, Calibration calibration) {
        Estimate coverage = Estimate.share(calibration.covered(), calibration.cells());
        List<Verdicts> verdicts = calibration.verdicts().stream()
                .map(v -> verdicts(v, calibration.cells(), calibration.families()))
                .toList();
        return new Intervals(noise, coverage, Goals.coverage(coverage), verdicts);
    }

    private static Verdicts verdicts(Calibration.Verdicts counts, int cells, int families) {
        Estimate wrong = Estimate.share(counts.wrongFamilies(), families);
        return new Verdicts(
                counts.delta(),
                Estimate.share(counts.wrongAlone(), cells),
                Estimate.share(counts.wrong(), cells),
                wrong,
                Goals.wrong(wrong),
                counts.seen().stream()
                        .map(seen -> Estimate.share(seen.slower(), families))
                        .toList());
    }
}
