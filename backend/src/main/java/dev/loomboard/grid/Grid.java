package dev.loomboard.grid;

import com.fasterxml.jackson.annotation.JsonIncludeProperties;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.cell.Jdk;
import dev.loomboard.cell.Limits;
import dev.loomboard.cell.ServerVariant;
import dev.loomboard.cell.Standing;
import dev.loomboard.retracted.Retracted;
import dev.loomboard.stats.Scale;
import dev.loomboard.stats.paired.Verdict;
import dev.loomboard.view.Format;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.annotation.JsonSerialize;

/**
 * JDK × collector × server on one machine: the newest point of each, with what its run judged of it.
 *
 * @param tracks columns, the oldest release first
 * @param rows by server, variant, collector
 */
public record Grid(List<Track> tracks, List<Row> rows) {

    /** What no two cells of a grid may differ in. */
    public record Place(String machine, String machineName, String protocol) {
        /** As addresses have it. */
        public String key() {
            return machine + " " + protocol;
        }

        public String words() {
            return machineName + ", " + protocol;
        }
    }

    public record Line(@JsonUnwrapped ServerVariant server, String collector, List<String> jvmOptions, Limits limits) {
        static final Comparator<Line> ORDER = Comparator.<Line, String>comparing(
                        line -> line.server().name())
                .thenComparing(line -> line.server().variant())
                .thenComparing(Line::collector)
                .thenComparing(line -> String.join(" ", line.jvmOptions()))
                .thenComparing(line -> line.limits().canonical());
    }

    public record Track(int feature, String vendor, String architecture) {
        static final Comparator<Track> ORDER = Comparator.comparingInt(Track::feature)
                .thenComparing(Track::vendor)
                .thenComparing(Track::architecture);
    }

    /**
     * @param series external id
     * @param jdk slug of the build
     * @param low null with {@code high}: one trial
     * @param retracted null: its versions stand
     * @param judged null: in its run no older build took turns with it, or there is no verdict
     */
    public record Value(
            String series,
            String jdk,
            Instant measuredAt,
            double mean,
            @Nullable Double low,
            @Nullable Double high,
            int trials,
            boolean eligible,
            Standing standing,
            @Nullable String reason,
            @Nullable Retracted retracted,
            @Nullable Judged judged) {}

    /**
     * Against an older build in the same run: of another release, if there was one.
     *
     * @param effect a ratio on the ln scale, else a difference, as {@code low} and {@code high}, the ends of its 95 % interval
     * @param against the older build
     * @param run external id
     */
    public record Judged(
            Verdict verdict,
            double effect,
            double low,
            double high,

            @JsonSerialize(converter = Jdk.ToWireNames.class)
            @JsonIncludeProperties({"slug", "feature", "runtimeVersion", "availability"})
            Jdk against,

            String run) {

        /** How much where something changed, else the verdict; beside it what it is of. */
        public String words(Scale scale) {
            return (verdict.differs() && scale == Scale.LN ? Format.change(effect) : verdict.word()) + " against "
                    + against.shortVersion();
        }
    }

    public record Point(Place place, Line line, Track track, String metric, Value value) {}

    /** @param values one per track; null: not measured */
    public record Row(Line line, List<@Nullable Value> values) {}

    static Grid of(List<Point> points) {
        List<Track> tracks =
                points.stream().map(Point::track).distinct().sorted(Track.ORDER).toList();
        Map<Line, @Nullable Value[]> lines = new TreeMap<>(Line.ORDER);
        for (Point point : points) {
            @Nullable Value[] values = lines.computeIfAbsent(point.line(), line -> new @Nullable Value[tracks.size()]);
            values[tracks.indexOf(point.track())] = point.value();
        }
        List<Row> rows = new ArrayList<>();
        lines.forEach((line, values) -> rows.add(new Row(line, Arrays.asList(values))));
        return new Grid(tracks, List.copyOf(rows));
    }
}
