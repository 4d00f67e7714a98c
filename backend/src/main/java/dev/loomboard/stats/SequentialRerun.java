package dev.loomboard.stats;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A rerun of two builds as of its newest look. It is looked at after {@link #LOOKS} paired blocks and ends as soon as a look
 * decides, either way; what no look decides stays open, because too few blocks are no evidence that nothing changed.
 *
 * @param look from 1; @param blocks of all looks up to this one
 * @param neededP that the difference has to be below, so that all looks together spend {@link #ALPHA} at most
 * @param verdict inconclusive: open
 * @param further blocks until the next look; 0: there is none
 */
public record SequentialRerun(int look, int blocks, double neededP, Verdict verdict, int further) {

    /** Blocks in all when a rerun is looked at. */
    public static final List<Integer> LOOKS = List.of(8, 16, 28, 44);

    public static final int MOST_BLOCKS = LOOKS.getLast();

    /** Headline metrics of a cell: each suspect is one of them, and answers for its share of {@link Judgement#ALPHA}. */
    private static final int TESTS = 5;

    /** Two-sided, of all looks of one suspect together: half of it in the direction that was suspected. */
    public static final double ALPHA = Judgement.ALPHA / TESTS;

    /** Reckoned once: {@link AlphaSpending} takes milliseconds. There are as many as ways to lose blocks. */
    private static final Map<List<Integer>, Double> NEEDED = new ConcurrentHashMap<>();

    /** What a look says of what was suspected. */
    public enum Answer {
        /** It is there, in the direction that was suspected and by the margin at least. */
        CONFIRMED,
        /** It is not: both builds are equivalent, or the opposite is there. */
        CLEARED,
        OPEN
    }

    /**
     * Judges the newest look. The blocks of all looks count, whatever run they are of.
     *
     * @param looks blocks in all at each look up to this one: less than planned where trials were lost or a run was cut short
     * @param effect of the blocks of all of them; empty: too few, so nothing is decided
     */
    public static SequentialRerun of(List<Integer> looks, Optional<Effect> effect, Better better, Margin margin) {
        int blocks = looks.getLast();
        double needed = needed(looks);
        Verdict verdict =
                effect.map(e -> Verdict.of(e, better, margin, e.p(), needed)).orElse(Verdict.INCONCLUSIVE);
        int further = verdict == Verdict.INCONCLUSIVE && looks.size() < LOOKS.size()
                ? StrictMath.max(0, LOOKS.get(looks.size()) - blocks)
                : 0;
        return new SequentialRerun(looks.size(), blocks, needed, verdict, further);
    }

    public Answer answer(ChangePoint suspect, Better better) {
        if (verdict == Verdict.INCONCLUSIVE) {
            return Answer.OPEN;
        }
        return FollowUpPolicy.confirms(suspect, better, verdict) ? Answer.CONFIRMED : Answer.CLEARED;
    }

    /** Less than any p where a look brought no block, or all were seen before: then nothing is left to spend. */
    private static double needed(List<Integer> looks) {
        int before = looks.size() < 2 ? 0 : looks.get(looks.size() - 2);
        if (looks.getLast() <= before || before >= MOST_BLOCKS) {
            return 0;
        }
        return NEEDED.computeIfAbsent(List.copyOf(looks), of -> AlphaSpending.needed(
                        ALPHA,
                        of.stream()
                                .filter(blocks -> blocks > 0)
                                .distinct()
                                .map(blocks -> StrictMath.min(1.0, (double) blocks / MOST_BLOCKS))
                                .toList())
                .getLast());
    }
}
