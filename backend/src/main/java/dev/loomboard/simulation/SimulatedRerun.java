package dev.loomboard.simulation;

import dev.loomboard.stats.Better;
import dev.loomboard.stats.Margin;
import dev.loomboard.stats.Scale;
import dev.loomboard.stats.change.ChangePoint;
import dev.loomboard.stats.change.SequentialRerun;
import dev.loomboard.stats.paired.Block;
import dev.loomboard.stats.paired.Effect;
import dev.loomboard.stats.paired.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * The interleaved rerun of two builds of a series, look by look: paired blocks, each in the order that a coin draws. A lost trial
 * costs its block, which the next look makes up for.
 */
record SimulatedRerun(Noise noise, double spread, double loss, Random random) {

    private static final ChangePoint SLOWER = new ChangePoint(0, 0, 0, 1, 2);
    private static final ChangePoint FASTER = new ChangePoint(0, 0, 0, 2, 1);

    /** Blocks that are drawn: with one trial in fifty lost the last look hardly ever needs as many. */
    private static final int DRAWN = SequentialRerun.MOST_BLOCKS + 16;

    /** @param digest sum of the p of its looks */
    record Result(SequentialRerun.Answer answer, int blocks, double digest) {}

    /**
     * Of each margin, by the same trials.
     *
     * @param change of the candidate on the ln scale
     * @param slower what was suspected
     */
    List<Result> of(double change, boolean slower, List<Margin> margins) {
        List<Optional<Block>> laidOut = new ArrayList<>();
        blocks(noise, spread, DRAWN, change, random).forEach(block -> {
            double baseline = random.nextDouble();
            double candidate = random.nextDouble();
            boolean lost = StrictMath.min(baseline, candidate) < loss;
            laidOut.add(lost ? Optional.empty() : Optional.of(block));
        });
        return margins.stream()
                .map(margin -> judged(laidOut, slower ? SLOWER : FASTER, margin))
                .toList();
    }

    private static Result judged(List<Optional<Block>> laidOut, ChangePoint suspect, Margin margin) {
        List<Block> blocks = new ArrayList<>();
        List<Integer> looks = new ArrayList<>();
        int from = 0;
        int further = SequentialRerun.LOOKS.getFirst();
        double digest = 0;
        SequentialRerun.Answer answer = SequentialRerun.Answer.OPEN;
        while (further > 0 && answer == SequentialRerun.Answer.OPEN && from < laidOut.size()) {
            int to = StrictMath.min(laidOut.size(), from + further);
            laidOut.subList(from, to).forEach(block -> block.ifPresent(blocks::add));
            from = to;
            looks.add(blocks.size());
            SequentialRerun rerun = new SequentialRerun(looks);
            Optional<Effect> effect = Effect.of(Scale.LN, blocks);
            if (effect.isPresent()) {
                double p = effect.get().p();
                answer = SequentialRerun.answer(
                        suspect, Better.LOWER, Verdict.of(effect.get(), Better.LOWER, margin, rerun.adjusted(p)));
                digest += p;
            }
            further = rerun.further();
        }
        return new Result(answer, from, digest);
    }

    /** @param change of the candidate, on the ln scale */
    static List<Block> blocks(Noise noise, double spread, int count, double change, Random random) {
        double[] noises = noise.draw(random, 2 * count);
        List<Block> blocks = new ArrayList<>(count);
        for (int i = 0; i < noises.length; i += 2) {
            int candidate = random.nextBoolean() ? i : i + 1;
            int baseline = 2 * i + 1 - candidate;
            blocks.add(new Block(
                    SimulatedSeries.LEVEL * StrictMath.exp(spread * noises[baseline]),
                    SimulatedSeries.LEVEL * StrictMath.exp(spread * noises[candidate] + change)));
        }
        return blocks;
    }
}
