package dev.loomboard.regression;

import dev.loomboard.catalog.Metrics;
import dev.loomboard.scenario.Load;
import dev.loomboard.stats.Better;
import dev.loomboard.stats.Scale;
import dev.loomboard.stats.change.NightlyScreen;
import dev.loomboard.verdict.DeclaredTest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A series of a run that can be screened: what it measured on a new build, beside the control, and nights enough before.
 *
 * @param point internal key of its new point
 * @param build internal key of the new build
 * @param buildsBefore internal keys of the builds of the nights before, newest first
 * @param better which way its metric should go
 * @param candidate of the new build, in the metric's unit
 * @param past ln(build ÷ control) of the nights before, oldest first, turned so that higher is worse
 * @param tonight the same
 */
record ScreenedSeries(
        long series,
        long point,
        long build,
        List<Long> buildsBefore,
        Load load,
        Better better,
        double candidate,
        List<Double> past,
        double tonight) {

    ScreenedSeries {
        buildsBefore = List.copyOf(buildsBefore);
        past = List.copyOf(past);
    }

    /**
     * What the screen raises.
     *
     * @param good internal key of the newest build that is not on the new level
     * @param change new build ÷ control, as a ratio to what it was before
     * @param levelBefore in the metric's unit
     */
    record Raised(NightlyScreen.Rise rise, long good, double change, double levelBefore) {}

    /** @param rows as {@link ScreenStore#nights} gives them; those of series with too few nights are left out */
    static List<ScreenedSeries> of(List<ScreenStore.Row> rows) {
        Map<Long, List<ScreenStore.Row>> series = new LinkedHashMap<>();
        rows.forEach(row ->
                series.computeIfAbsent(row.series(), key -> new ArrayList<>()).add(row));
        return series.values().stream().flatMap(of -> one(of).stream()).toList();
    }

    private static Optional<ScreenedSeries> one(List<ScreenStore.Row> rows) {
        ScreenStore.Row tonight = rows.getFirst();
        List<ScreenStore.Row> before = nights(rows);
        boolean judged = DeclaredTest.metrics(tonight.load()).contains(tonight.metric())
                && DeclaredTest.margin(tonight.metric()).scale() == Scale.LN;
        boolean positive = rows.stream().allMatch(row -> row.candidate() > 0 && row.control() > 0);
        if (!tonight.tonight() || !judged || !positive || before.size() < NightlyScreen.LEAST_PAST) {
            return Optional.empty();
        }
        Better better = Metrics.all().get(tonight.metric()).direction();
        return Optional.of(new ScreenedSeries(
                tonight.series(),
                tonight.point(),
                tonight.build(),
                before.stream().map(ScreenStore.Row::build).toList(),
                tonight.load(),
                better,
                tonight.candidate(),
                before.reversed().stream().map(row -> ratio(better, row)).toList(),
                ratio(better, tonight)));
    }

    /** A run is one night, whose newest build counts. Newest first. */
    private static List<ScreenStore.Row> nights(List<ScreenStore.Row> rows) {
        Map<Long, ScreenStore.Row> nights = new LinkedHashMap<>();
        rows.stream().filter(row -> !row.tonight()).forEach(row -> nights.putIfAbsent(row.run(), row));
        return nights.values().stream().limit(NightlyScreen.PAST).toList();
    }

    private static double ratio(Better better, ScreenStore.Row row) {
        double ln = StrictMath.log(row.candidate() / row.control());
        return better == Better.LOWER ? ln : -ln;
    }

    NightlyScreen.Rise rise(NightlyScreen screen) {
        return screen.rise(past, tonight);
    }

    Raised raised(NightlyScreen.Rise rise) {
        double change = StrictMath.exp(better == Better.LOWER ? rise.size() : -rise.size());
        return new Raised(rise, buildsBefore.get(rise.already()), change, candidate / change);
    }
}
