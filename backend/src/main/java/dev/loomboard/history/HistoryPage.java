package dev.loomboard.history;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.cell.Jdk;
import dev.loomboard.stats.Autocorrelation;
import dev.loomboard.stats.change.Confirmation;
import dev.loomboard.stats.change.FollowUpPolicy;
import dev.loomboard.stats.change.MinimumDetectableEffect;
import dev.loomboard.stats.change.SequentialRerun;
import dev.loomboard.stats.paired.Power;
import dev.loomboard.view.Chart;
import dev.loomboard.view.ColumnFormat;
import dev.loomboard.view.Filter;
import dev.loomboard.view.Format;
import dev.loomboard.view.Query;
import dev.loomboard.view.ScenarioText;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Page;
import dev.loomboard.web.PageTwin;
import dev.loomboard.web.Urls;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A metric's history per JDK build: one line per track, broken where the server or the host changed.
 *
 * @param range that is shown of it
 * @param form to add a note; null: the caller may not
 */
public record HistoryPage(
        SeriesFamily family,
        HistoryRange range,
        List<Chart> charts,
        @Nullable FormState form) implements Page {

    /**
     * @param from build that was chosen as an end of the range; null: none
     * @param to the same of the other end
     */
    public record Twin(
            @JsonUnwrapped SeriesFamily family,
            HistoryRange.Newest range,
            @Nullable String from,
            @Nullable String to,
            List<Chart> charts)
            implements PageTwin {}

    /** Points in the table, of all tracks together; every track has a few. */
    static final int LISTED = 50;

    private static final int LEAST_LISTED = 10;
    /** Trials of a point that are linked one by one; more are on its run's page. */
    static final int LINKED = 10;

    static HistoryPage of(SeriesFamily family, HistoryRange range, @Nullable FormState form) {
        return new HistoryPage(family, range, List.of(HistoryChart.frame(family, scale(family), range)), form);
    }

    /** For programs: with what is drawn. */
    static Twin twin(SeriesFamily family, HistoryRange range) {
        return new Twin(
                family,
                range.newest(),
                range.from(),
                range.to(),
                List.of(HistoryChart.of(family, scale(family), range)));
    }

    /** The page's address, from which those of its twins and of other ranges are made. */
    public Query query() {
        return query(family.id());
    }

    /** The same range of another history. */
    public Query query(String series) {
        return new Query(Urls.series(series), range.parameters());
    }

    /** Where the chart is read. */
    public String chartHref() {
        return new Query(Urls.series(family.id()) + ".json", query().values()).with("part", "charts");
    }

    /** Ranges that a track is longer than, and the one shown; empty: there is nothing to choose. Each drops a range of builds. */
    public List<Filter.Choice> ranges() {
        int longest = family.builds().most();
        List<Filter.Choice> ranges = Arrays.stream(HistoryRange.Newest.values())
                .filter(n -> n == HistoryRange.Newest.ALL || n == range.newest() || n.most() < longest)
                .map(n -> new HistoryRange(n, null, null))
                .map(r -> new Filter.Choice(
                        r.newest().words(), new Query(Urls.series(family.id()), r.parameters()).url(), r.equals(range)))
                .toList();
        return ranges.size() > 1 || range.ofBuilds() ? ranges : List.of();
    }

    /** Whether there is more than one build to choose among. */
    public boolean hasBuilds() {
        return family.builds().slugs().size() > 1;
    }

    public Metric metric() {
        return Metrics.all().get(family.metric());
    }

    public ScenarioText scenario() {
        return ScenarioText.of(family.cell().scenarioKey());
    }

    public String title() {
        return scenario().title(metric());
    }

    /** What it is the history of: metric, server, scenario, machine and line. */
    public String heading() {
        return title() + " of " + family.cell().server().name() + " "
                + family.cell().server().variant() + ", " + scenario().words() + ", on "
                + family.cell().machine().name() + focus();
    }

    /** Such as ", JDK 28 temurin": which of its lines the address is of. */
    public String focus() {
        return family.tracks().stream()
                .filter(track -> track.series().equals(family.id()) && track.feature() > 0)
                .findFirst()
                .map(track -> ", JDK " + track.feature() + " " + track.vendor())
                .orElse("");
    }

    public ColumnFormat scale() {
        return scale(family);
    }

    public List<SeriesFamily.Sibling> siblings(boolean judged) {
        return family.siblings().stream()
                .filter(sibling -> sibling.judged() == judged)
                .toList();
    }

    public String title(SeriesFamily.Sibling sibling) {
        return Metrics.all().get(sibling.metric()).title();
    }

    /** The newest points of a track that the table has, the newest build first. */
    public List<SeriesFamily.Point> listed(SeriesFamily.Track track) {
        int most = Math.max(LEAST_LISTED, LISTED / Math.max(1, family.tracks().size()));
        List<SeriesFamily.Point> points = track.points();
        return IntStream.range(0, points.size())
                .boxed()
                .sorted(Comparator.comparing(
                                (Integer place) -> points.get(place).measuredAt())
                        .reversed())
                .limit(most)
                .sorted(Comparator.reverseOrder())
                .map(points::get)
                .toList();
    }

    public int listed() {
        return family.tracks().stream().mapToInt(t -> listed(t).size()).sum();
    }

    /** Those that are drawn or stand for others that are. */
    public int points() {
        return (int) spots().count();
    }

    /** There may be older ones. */
    public boolean cut() {
        return family.tracks().stream().anyMatch(t -> t.trackPoints().cut());
    }

    private Stream<TrackPoints.PointSummary> spots() {
        return family.tracks().stream().flatMap(t -> t.trackPoints().points());
    }

    public int builds() {
        return (int) family.tracks().stream()
                .flatMap(t -> t.trackPoints().builds().stream())
                .map(TrackPoints.BuildPoints::build)
                .distinct()
                .count();
    }

    public int changes() {
        return family.tracks().stream().mapToInt(t -> t.changes().size()).sum();
    }

    /** Builds that a note can be about, newest first. */
    public List<TrackPoints.BuildPoints> noteBuilds() {
        return family.tracks().stream()
                .flatMap(track -> track.trackPoints().builds().reversed().stream())
                .toList();
    }

    /** The smallest change that a track's rerun would show, with what it is calculated from. */
    public static String byRerun(MinimumDetectableEffect d) {
        Double size = d.byRerun();
        Double spread = d.trialSpread();
        return size == null || spread == null
                ? "not known yet: not enough trials to estimate their spread"
                : share(size) + range(d.rerunRange()) + " (spread of trials " + share(spread) + ")";
    }

    /** The smallest change that a track's history would show, with what it is calculated from. */
    public static String byHistory(MinimumDetectableEffect d) {
        Double size = d.byHistory();
        Double spread = d.pointSpread();
        Double r = d.r();
        if (r == null || spread == null) {
            return "not known yet: " + Format.of(d.points(), "point") + " of the " + Autocorrelation.LEAST_POINTS
                    + " needed to estimate autocorrelation";
        }
        String basis = " (spread of points " + share(spread) + ", r = " + Format.decimals(r, 2) + ", from "
                + Format.of(d.points(), "point") + ")";
        return (size == null ? "none: autocorrelation is too high" : share(size) + range(d.historyRange())) + basis;
    }

    /** Empty: the spread is known well enough. */
    private static String range(MinimumDetectableEffect.@Nullable Range range) {
        return range == null
                ? ""
                : " (95 % range " + share(range.low()) + " to " + share(range.high()) + "; few trials)";
    }

    /** What both are asked. */
    public static String asked() {
        return "With power " + Format.plain(Power.WANTED) + ": by a rerun of "
                + SequentialRerun.MOST_BLOCKS + " paired blocks (its " + SequentialRerun.LOOKS.size()
                + " looks together are wrong in at most " + Format.percent(SequentialRerun.ALPHA)
                + "), or by history with " + FollowUpPolicy.POINTS
                + " points on each side at p ≤ " + Format.plain(Confirmation.ALPHA)
                + ". Changes smaller than the margin are never confirmed.";
    }

    private static String share(double share) {
        return Format.percent(share);
    }

    /** Trials per point, fewest and most: "1", "3 to 10". */
    public String trials() {
        return trials(family);
    }

    static String trials(SeriesFamily family) {
        var counts = family.tracks().stream()
                .flatMap(t -> t.trackPoints().points())
                .mapToInt(TrackPoints.PointSummary::trials)
                .summaryStatistics();
        return counts.getMin() == counts.getMax()
                ? String.valueOf(counts.getMax())
                : counts.getMin() + " to " + counts.getMax();
    }

    public static String shortVersion(SeriesFamily.Point point) {
        return Jdk.shortVersion(point.runtimeVersion());
    }

    private static ColumnFormat scale(SeriesFamily family) {
        List<@Nullable Double> means = new ArrayList<>();
        family.tracks().forEach(t -> t.trackPoints().points().forEach(p -> means.add(p.mean())));
        return ColumnFormat.of(Metrics.all().get(family.metric()).unit(), means);
    }

    @Override
    public String template() {
        return "history/history.jte";
    }
}
