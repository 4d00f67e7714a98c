package dev.loomboard.plan;

import dev.loomboard.cell.TrialState;
import dev.loomboard.measurement.Validity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which blocks of a run are made again, because generator or host spoilt one of their trials. Values decide nothing here: a
 * trial that failed is an outcome of its server, and its block stays as it is. A block is repeated once, in order of
 * execution, as long as repeats are a quarter of the scored trials at most; the first is always made. The agent has the same in
 * Go ({@code plan/spoilt.go}).
 *
 * @param left blocks that are as spoilt and are not repeated, since there is no room for them
 */
public record SpoiltBlocks(List<Repeat> repeats, int left) {

    /** One in this many scored trials may be repeated. */
    static final int SHARE = 4;

    public SpoiltBlocks {
        repeats = List.copyOf(repeats);
    }

    /** @param why what spoilt it, in words */
    public record Repeat(Block spoilt, String why) {}

    /**
     * @param ordinal of its trials
     * @param cells in the order of the matrix
     * @param attempts in order of execution
     * @param repeated it was asked for before
     */
    public record Block(int ordinal, List<StoredCell> cells, List<Attempt> attempts, boolean repeated) {

        private int trials() {
            return attempts.size();
        }
    }

    /**
     * The newest attempt at a trial.
     *
     * @param lease it was planned under
     * @param reason what was wrong with it, in words; null: nothing was said
     */
    public record Attempt(
            TrialState state,
            @Nullable Validity validity,
            @Nullable String reason,
            long lease) {}

    /** @param blocks all of the run, in order of execution */
    public static SpoiltBlocks of(List<Block> blocks) {
        int trials = blocks.stream().mapToInt(Block::trials).sum();
        int spent =
                blocks.stream().filter(Block::repeated).mapToInt(Block::trials).sum();
        List<Repeat> repeats = new ArrayList<>();
        int left = 0;
        for (Block block : blocks) {
            String why = block.repeated() ? null : why(block.attempts()).orElse(null);
            int with = spent + block.trials();
            if (why != null && (spent == 0 || with * SHARE <= trials)) {
                repeats.add(new Repeat(block, why));
                spent = with;
            } else if (why != null) {
                left++;
            }
        }
        return new SpoiltBlocks(repeats, left);
    }

    /** Empty: it is sound, or a failure in it must stay. */
    private static Optional<String> why(List<Attempt> attempts) {
        if (attempts.stream().anyMatch(attempt -> attempt.state() == TrialState.FAILED)) {
            return Optional.empty();
        }
        return attempts.stream()
                .filter(attempt -> attempt.validity() == Validity.INVALID || attempt.state() == TrialState.ABORTED)
                .findFirst()
                .map(SpoiltBlocks::words)
                .or(() -> attempts.stream().map(Attempt::lease).distinct().count() > 1
                        ? Optional.of("the agent was restarted during it")
                        : Optional.empty());
    }

    private static String words(Attempt attempt) {
        if (attempt.reason() != null) {
            return attempt.reason();
        }
        return attempt.state() == TrialState.ABORTED ? "a trial was aborted" : "a trial was invalid";
    }
}
