package dev.loomboard.series;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.show.Chart;
import dev.loomboard.show.Figures;
import dev.loomboard.show.Jdk;
import dev.loomboard.show.Scale;
import dev.loomboard.show.Scenario;
import dev.loomboard.stats.Autocorrelation;
import dev.loomboard.stats.Confirmation;
import dev.loomboard.stats.Detectable;
import dev.loomboard.stats.Judgement;
import dev.loomboard.stats.Power;
import dev.loomboard.stats.Retest;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Page;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A metric's history per JDK build: one line per track, a new line where the server or the host changed.
 *
 * @param form to add a note; null: the caller may not
 */
public record HistoryPage(
        @JsonUnwrapped SeriesFamily family,
        List<Chart> charts,
        @JsonIgnore @Nullable FormState form) implements Page {

    static HistoryPage of(SeriesFamily family, @Nullable FormState form) {
        return new HistoryPage(family, List.of(HistoryChart.of(family, scale(family))), form);
    }

    public Metric metric() {
        return Metrics.all().get(family.metric());
    }

    public Scenario scenario() {
        return Scenario.of(family.scenarioKey());
    }

    public String title() {
        return scenario().title(metric());
    }

    public Scale scale() {
        return scale(family);
    }

    public String title(SeriesFamily.Sibling sibling) {
        return Metrics.all().get(sibling.metric()).title();
    }

    public int points() {
        return family.tracks().stream().mapToInt(t -> t.points().size()).sum();
    }

    public int builds() {
        return (int) family.tracks().stream()
                .flatMap(t -> t.points().stream())
                .map(SeriesFamily.Point::build)
                .distinct()
                .count();
    }

    public int changes() {
        return family.tracks().stream().mapToInt(t -> t.changes().size()).sum();
    }

    /** Builds that a note can be about, newest first. */
    public List<SeenChange.Build> noteBuilds() {
        List<SeenChange.Build> builds = new ArrayList<>();
        for (SeriesFamily.Track track : family.tracks()) {
            for (SeriesFamily.Point p : track.points().reversed()) {
                var build = new SeenChange.Build(p.build(), track.feature(), p.runtimeVersion(), p.availability());
                if (!builds.contains(build)) {
                    builds.add(build);
                }
            }
        }
        return builds;
    }

    /** The smallest change that a track's rerun would show, with what that is reckoned from. */
    public static String byRerun(Detectable d) {
        Double size = d.byRerun();
        Double spread = d.trialSpread();
        return size == null || spread == null
                ? "not known yet: too few trials to tell how they vary"
                : share(size) + " (trials vary by " + share(spread) + ")";
    }

    /** Likewise of its history. */
    public static String byHistory(Detectable d) {
        Double size = d.byHistory();
        Double spread = d.pointSpread();
        Double r = d.r();
        if (r == null || spread == null) {
            return "not known yet: " + Figures.of(d.points(), "point") + " of the " + Autocorrelation.LEAST_POINTS
                    + " that tell how much points repeat each other";
        }
        String basis = " (points vary by " + share(spread) + ", r = " + Figures.decimals(r, 2) + ", of "
                + Figures.of(d.points(), "point") + ")";
        return (size == null ? "none: points repeat each other too much" : share(size)) + basis;
    }

    /** What both are asked. */
    public static String asked() {
        return "With power " + Figures.plain(Power.WANTED) + ": by a rerun of " + Retest.BLOCKS
                + " paired blocks at p < " + Figures.plain(Judgement.ALPHA) + " adjusted for "
                + Metrics.all().headlines() + " tests; by its history with " + Retest.POINTS
                + " points on each side at p ≤ " + Figures.plain(Confirmation.ALPHA)
                + ". Neither confirms less than the margin that matters.";
    }

    private static String share(double share) {
        return Figures.percent(share);
    }

    /** Trials per point, fewest and most: "1", "3 to 10". */
    public String trials() {
        return trials(family);
    }

    static String trials(SeriesFamily family) {
        var counts = family.tracks().stream()
                .flatMap(t -> t.points().stream())
                .mapToInt(p -> p.trialValues().size())
                .summaryStatistics();
        return counts.getMin() == counts.getMax()
                ? String.valueOf(counts.getMax())
                : counts.getMin() + " to " + counts.getMax();
    }

    public static String shortVersion(SeriesFamily.Point point) {
        return shortVersion(point.runtimeVersion(), point.availability());
    }

    static String shortVersion(String version, String availability) {
        return new Jdk("", "", version, 0, availability.equals("ea"), "", "").shortVersion();
    }

    private static Scale scale(SeriesFamily family) {
        List<@Nullable Double> means = new ArrayList<>();
        family.tracks().forEach(t -> t.points().forEach(p -> means.add(p.mean())));
        return Scale.of(Metrics.all().get(family.metric()).unit(), means);
    }

    @Override
    public String template() {
        return "series/history.jte";
    }

    @Override
    public @Nullable String fragment() {
        return "series/_points.jte";
    }
}
