package dev.loomboard.view;

import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The course of a history, as small as a word.
 *
 * @param means at least two, the oldest first
 */
public record Sparkline(List<Double> means) {

    /** Points that it shows. */
    public static final int MOST = 30;

    public static final int WIDTH = 90;
    public static final int HEIGHT = 20;

    /** Room for the mark at the end. */
    private static final double MARGIN = 3;

    /** Of the middle: what moves by less is drawn so flat, not as if it were much. */
    private static final double LEAST_SPAN = 0.1;

    public Sparkline {
        if (means.size() < 2) {
            throw new IllegalArgumentException("one point has no course");
        }
        means = List.copyOf(means);
    }

    /** As SVG has them. */
    public String points() {
        return IntStream.range(0, means.size()).mapToObj(i -> x(i) + "," + y(i)).collect(Collectors.joining(" "));
    }

    public String lastX() {
        return x(means.size() - 1);
    }

    public String lastY() {
        return y(means.size() - 1);
    }

    private String x(int i) {
        return text(MARGIN + i * (WIDTH - 2 * MARGIN) / (means.size() - 1));
    }

    private String y(int i) {
        DoubleSummaryStatistics all = means.stream().mapToDouble(mean -> mean).summaryStatistics();
        double middle = (all.getMin() + all.getMax()) / 2;
        double span = Math.max(all.getMax() - all.getMin(), Math.abs(middle) * LEAST_SPAN);
        double share = span == 0 ? 0.5 : 0.5 + (means.get(i) - middle) / span;
        return text(HEIGHT - MARGIN - share * (HEIGHT - 2 * MARGIN));
    }

    private static String text(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
