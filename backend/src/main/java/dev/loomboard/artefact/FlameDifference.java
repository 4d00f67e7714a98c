package dev.loomboard.artefact;

import dev.loomboard.stats.ShareDifference;
import java.util.Comparator;
import java.util.List;

/**
 * Where the CPU samples of two diagnostic trials fell, as shares of each side's samples.
 *
 * @param baseline samples of that side
 * @param candidate samples of that side
 * @param methods each by the samples in which it ran itself, the greatest difference first
 * @param boxes of the flame graph, each before what it called
 */
public record FlameDifference(long baseline, long candidate, List<Method> methods, List<Box> boxes) {

    private static final int LARGEST = 25;
    private static final double LEAST_DRAWN = 0.001;
    private static final double GREAT = 0.05;
    private static final double MIDDLING = 0.01;

    /**
     * @param baseline samples
     * @param candidate samples
     * @param share of the baseline's samples
     * @param candidateShare of the candidate's
     * @param difference of the shares
     * @param low of its interval, which holds for all methods at once
     * @param beyondError whether it is more than the drawing of samples explains
     */
    public record Method(
            String name,
            long baseline,
            long candidate,
            double share,
            double candidateShare,
            double difference,
            double low,
            double high,
            boolean beyondError) {}

    /**
     * @param depth the root's is 0
     * @param mark from -3 (far less) to 3 (far more); 0: no more than the drawing of samples explains
     */
    public record Box(int depth, String name, long baseline, long candidate, int mark) {}

    /**
     * @param baseline collapsed stacks
     * @param candidate the same; neither is empty
     */
    static FlameDifference of(byte[] baseline, byte[] candidate) {
        FlameTree tree = FlameTree.of(baseline, candidate);
        List<FlameTree.Samples> methods = tree.methods();
        List<FlameTree.Samples> boxes = tree.boxes(LEAST_DRAWN);
        return new FlameDifference(
                (long) tree.first(),
                (long) tree.second(),
                methods.stream()
                        .map(m -> method(m, tree, methods.size()))
                        .sorted(Comparator.comparingDouble((Method m) -> -Math.abs(m.difference()))
                                .thenComparing(Method::name))
                        .toList(),
                boxes.stream().map(b -> box(b, tree, boxes.size())).toList());
    }

    private static ShareDifference difference(FlameTree.Samples of, FlameTree tree, int together) {
        return ShareDifference.of(of.first(), tree.first(), of.second(), tree.second(), together);
    }

    private static Method method(FlameTree.Samples m, FlameTree tree, int together) {
        ShareDifference d = difference(m, tree, together);
        return new Method(
                m.name(),
                (long) m.first(),
                (long) m.second(),
                m.first() / tree.first(),
                m.second() / tree.second(),
                d.difference(),
                d.low(),
                d.high(),
                d.beyondError());
    }

    private static Box box(FlameTree.Samples b, FlameTree tree, int together) {
        ShareDifference d = difference(b, tree, together);
        double size = Math.abs(d.difference());
        int grade = !d.beyondError() ? 0 : size >= GREAT ? 3 : size >= MIDDLING ? 2 : 1;
        return new Box(b.depth(), b.name(), (long) b.first(), (long) b.second(), d.difference() < 0 ? -grade : grade);
    }

    /** What a table shows. */
    public List<Method> largest() {
        return methods.subList(0, Math.min(LARGEST, methods.size()));
    }

    public long beyondError() {
        return methods.stream().filter(Method::beyondError).count();
    }

    /** How many methods the intervals hold for at once. */
    public int methodsCompared() {
        return methods.size();
    }

    public record Twin(long baseline, long candidate, List<Box> boxes, List<Method> largest, int methodsCompared) {}

    Twin twin() {
        return new Twin(baseline, candidate, boxes, largest(), methodsCompared());
    }
}
