package dev.loomboard.history;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.cell.Availability;
import dev.loomboard.cell.MachineRef;
import dev.loomboard.cell.ServerVariant;
import dev.loomboard.cell.Standing;
import dev.loomboard.kernel.Internal;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.retracted.Retracted;
import dev.loomboard.stats.change.MinimumDetectableEffect;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The history of one metric of one cell on one machine: a line per JDK track.
 *
 * @param id external id of the series that was asked for
 * @param metric name in the catalogue
 * @param judged changes are looked for in it; else the metric is not one that is judged of its load
 * @param siblings histories of the same cell and track, itself among them
 * @param tracks highest feature release first
 * @param builds to choose a range among
 * @param hosts what the machine was while it measured these, oldest first
 * @param notes newest day first
 */
public record SeriesFamily(
        String id,
        WorkspaceId workspaceKey,
        boolean judged,
        String workspace,
        String metric,
        @JsonUnwrapped SeriesCell cell,
        List<Sibling> siblings,
        List<Track> tracks,
        Builds builds,
        List<HostState> hosts,
        List<Note> notes) {

    /** What all points of a series share. */
    public record SeriesCell(
            @JsonUnwrapped ServerVariant server,
            String workload,
            String scenarioKey,
            String collector,
            String protocol,
            @JsonUnwrapped MachineRef machine) {}

    /**
     * @param series external id
     * @param judged changes are looked for in it
     */
    public record Sibling(String metric, String series, boolean judged) {}

    /**
     * @param series external id
     * @param trackPoints for the chart: the newest few hundred points, or all that are asked for
     * @param points the newest, as many as are asked for, by order of builds, then by time
     * @param changes in the order of builds
     * @param detectable null: the metric is not judged
     * @param reach what is too near to the newest level to be found; null: not known
     */
    public record Track(
            String series,
            int feature,
            String vendor,
            String architecture,
            TrackPoints trackPoints,
            List<Point> points,
            List<ChangeView> changes,
            @Nullable MinimumDetectableEffect detectable,
            @Nullable Reach reach) {}

    /**
     * Values around a level that a change could end at without being found, in the metric's unit.
     *
     * @param first key of the level's first point
     */
    record Reach(long first, double low, double high) implements Internal {}

    /** Those that were read, whatever is shown, oldest first. */
    public record Builds(List<TrackBuilds> tracks) implements Internal {
        static Builds of(List<TrackBuilds> tracks) {
            return new Builds(
                    tracks.stream().filter(track -> !track.builds().isEmpty()).toList());
        }

        /** In the order of the chart's axis. */
        List<String> slugs() {
            return tracks.stream()
                    .flatMap(track -> track.builds().stream())
                    .map(TrackPoints.BuildPoints::build)
                    .distinct()
                    .toList();
        }

        /** Of the longest track. */
        int most() {
            return tracks.stream().mapToInt(TrackBuilds::points).max().orElse(0);
        }
    }

    /**
     * @param track in words
     * @param points on them
     */
    public record TrackBuilds(String track, List<TrackPoints.BuildPoints> builds, int points) {}

    /**
     * @param run external id
     * @param cell external id
     */
    public record Point(
            String build,
            String runtimeVersion,
            Availability availability,
            String run,
            String cell,
            Instant measuredAt,
            @JsonUnwrapped Estimate estimate,
            @JsonUnwrapped PointTrials trials,
            @JsonUnwrapped PointStanding standing,
            @JsonUnwrapped Segment segment) {}

    /**
     * @param mean on the metric's declared scale, in its unit
     * @param low lower end of the 95 % interval; null: fewer than two trials
     */
    public record Estimate(
            double mean, @Nullable Double low, @Nullable Double high) {}

    /**
     * @param trialCount scored trials in it
     * @param trialValues of each, in trial order; none: not asked for
     * @param trials external ids, same order; none: of an older point, or too many: its run names them
     */
    public record PointTrials(int trialCount, List<Double> trialValues, List<String> trials) {}

    /** @param reason why not ranked */
    public record PointStanding(
            boolean eligible,
            Standing standing,
            @Nullable String reason,
            @Nullable Retracted retracted) {

        /** Whether anything is learnt from the point. */
        boolean judged() {
            return eligible && retracted == null && standing != Standing.UNRANKED;
        }
    }

    /**
     * @param segment from 0; a new one starts where the server or the host changed
     * @param segmentReason what changed at this point; null: nothing
     */
    public record Segment(int segment, @Nullable String segmentReason) {}
}
