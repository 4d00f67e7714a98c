package dev.loomboard.stats.change;

import dev.loomboard.stats.Better;
import dev.loomboard.stats.paired.AlphaSpending;
import dev.loomboard.stats.paired.Judgement;
import dev.loomboard.stats.paired.Verdict;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The looks at a rerun of two builds, each after a fixed number of paired blocks. It ends as soon as a look decides, either way; what no
 * look decides stays open, because too few blocks are no evidence that nothing changed.
 *
 * @param looks blocks in all at each look up to now: fewer than {@link #LOOKS} where trials were lost or a run was cut short
 */
public record SequentialRerun(List<Integer> looks) {

    /** Blocks in all when a rerun is looked at. */
    public static final List<Integer> LOOKS = List.of(8, 16, 28, 44);

    public static final int MOST_BLOCKS = LOOKS.getLast();

    /**
     * Two-sided, of all looks of one suspect together. {@link NightlyScreen} starts up to 2 500 reruns a year where nothing changed; with half of it in
     * the direction that was suspected, fewer than one of them sends a message.
     */
    public static final double ALPHA = 0.0005;

    /** Calculated once, because {@link AlphaSpending} takes milliseconds: there are as many as ways to lose blocks. */
    private static final Map<List<Integer>, Double> NEEDED = new ConcurrentHashMap<>();

    /** What a look says of what was suspected. */
    public enum Answer {
        /** It is there, in the direction that was suspected and by the margin at least. */
        CONFIRMED,
        /** It is not: the builds are equivalent, or the opposite is there. */
        CLEARED,
        OPEN
    }

    public SequentialRerun {
        looks = List.copyOf(looks);
        if (looks.isEmpty()) {
            throw new IllegalArgumentException("a rerun that was not looked at says nothing");
        }
    }

    public int blocks() {
        return looks.getLast();
    }

    /** Until the next look, which makes up for what was lost; 0: there is none. */
    public int further() {
        return further(looks.size(), blocks());
    }

    /**
     * @param made looks so far
     * @param blocks of all of them
     */
    public static int further(int made, int blocks) {
        return made < LOOKS.size() ? StrictMath.max(0, LOOKS.get(made) - blocks) : 0;
    }

    /** The p of the blocks of all looks, raised so that this look may be judged by {@link Judgement#ALPHA} like any test. */
    public double adjusted(double p) {
        double needed = neededP();
        return needed == 0 ? 1 : StrictMath.min(1, p * Judgement.ALPHA / needed);
    }

    /** That p has to be below at this look. 0, which nothing is: it brought no block, or all that was planned was seen before. */
    public double neededP() {
        int before = looks.size() < 2 ? 0 : looks.get(looks.size() - 2);
        return blocks() <= before || before >= MOST_BLOCKS ? 0 : NEEDED.computeIfAbsent(looks, SequentialRerun::needed);
    }

    private static double needed(List<Integer> looks) {
        List<Double> fractions = looks.stream()
                .filter(blocks -> blocks > 0)
                .distinct()
                .map(blocks -> StrictMath.min(1.0, (double) blocks / MOST_BLOCKS))
                .toList();
        return AlphaSpending.needed(ALPHA, fractions).getLast();
    }

    /** @param verdict of the newest look, by {@link #adjusted} */
    public static Answer answer(ChangePoint suspect, Better better, Verdict verdict) {
        if (verdict == Verdict.INCONCLUSIVE) {
            return Answer.OPEN;
        }
        return FollowUpPolicy.confirms(suspect, better, verdict) ? Answer.CONFIRMED : Answer.CLEARED;
    }
}
