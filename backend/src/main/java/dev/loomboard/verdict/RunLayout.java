package dev.loomboard.verdict;

import dev.loomboard.stats.change.SequentialRerun;
import dev.loomboard.stats.paired.AlphaSpending;
import dev.loomboard.stats.paired.Judgement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the blocks of a run were to come, by which a look at them costs what it costs ({@link AlphaSpending}).
 *
 * @param planned scored trials of a cell; null: not known
 * @param cutShort it ended before its time: cancelled, or failed
 * @param look which look of its rerun it is; null: its blocks are judged once
 * @param pilot scored trials of a cell whose spread decided how many it has; null: nothing did
 */
record RunLayout(
        @Nullable Integer planned,
        boolean cutShort,
        @Nullable Integer look,
        @Nullable Integer pilot) {

    RunLayout(@Nullable Integer planned, boolean cutShort, @Nullable Integer look) {
        this(planned, cutShort, look, null);
    }

    /** All blocks have come, and are looked at once. */
    static final RunLayout AT_ONCE = new RunLayout(null, false, null);

    /**
     * That of one test.
     *
     * @param trials scored ones that were planned for both its cells; null: as of the run
     */
    RunLayout with(@Nullable Integer trials) {
        return trials == null ? this : new RunLayout(trials, cutShort, look, pilot);
    }

    /** Of blocks with trials of these numbers, how many told the spread. */
    int pilotOf(List<Integer> numbers) {
        return PairedTrials.within(numbers, pilot);
    }

    /**
     * What an adjusted p is with the error that was spent up to now: below {@link Judgement#ALPHA} it decides.
     *
     * @param ofFamily adjusted over the family
     * @param looks blocks in all at each look up to this one
     */
    double adjusted(double p, double ofFamily, List<Integer> looks) {
        if (look != null) {
            return new SequentialRerun(looks).adjusted(p);
        }
        int blocks = looks.getLast();
        Integer of = cutShortOf(blocks);
        return of == null
                ? ofFamily
                : Math.min(1, ofFamily * Judgement.ALPHA / AlphaSpending.spent(Judgement.ALPHA, (double) blocks / of));
    }

    /** What p must be below for a test to decide, were it the only effect of its family. */
    double level(int familySize, List<Integer> looks) {
        if (look != null) {
            return new SequentialRerun(looks).neededP();
        }
        int blocks = looks.getLast();
        Integer of = cutShortOf(blocks);
        double alpha = of == null ? Judgement.ALPHA : AlphaSpending.spent(Judgement.ALPHA, (double) blocks / of);
        return alpha / familySize;
    }

    /** Blocks that were to come; null: it was not cut short, or they have all come. */
    @Nullable
    Integer cutShortOf(int blocks) {
        Integer of = look == null ? planned : SequentialRerun.LOOKS.get(look - 1);
        return cutShort && of != null && blocks < of ? of : null;
    }
}
