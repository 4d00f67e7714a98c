package dev.loomboard.simulation;

import dev.loomboard.stats.Methodology;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import tools.jackson.databind.json.JsonMapper;

/**
 * A run of the scenario, and what came of it.
 *
 * @param methodology version of the formulas that were played
 * @param series of each kind of noise
 * @param excerpt what came of the first {@link #EXCERPT} of them alone, for tests to repeat
 * @param ranks of as many boards
 * @param rankExcerpt of the first
 * @param findable changes of as many series
 * @param findableExcerpt of the first
 */
public record Simulation(
        String format,
        String methodology,
        long seed,
        int series,
        SimulationSetup scenario,
        List<NoiseResult> played,
        List<NoiseResult> excerpt,
        List<RankCoverage> ranks,
        List<RankCoverage> rankExcerpt,
        List<FindablePower> findable,
        List<FindablePower> findableExcerpt) {

    static final String FORMAT = "loomboard.simulation/1";
    static final int EXCERPT = 6;
    private static final String PUBLISHED = "/methodology/simulation.json";

    /** The run whose figures are printed on the methodology page. */
    public static Simulation published() {
        try (InputStream in = Simulation.class.getResourceAsStream(PUBLISHED)) {
            if (in == null) {
                throw new IllegalStateException("the program lacks its file " + PUBLISHED);
            }
            return JsonMapper.shared().readValue(in, Simulation.class);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + PUBLISHED, e);
        }
    }

    /** The same for the same seed and number of series, on however many threads. */
    public static Simulation run(long seed, int series, int threads, Consumer<String> progress) {
        SimulationSetup scenario = SimulationSetup.ofTheCode();
        List<NoiseResult> played = new ArrayList<>();
        List<NoiseResult> excerpt = new ArrayList<>();
        List<List<RankCoverage>> boards;
        List<List<FindablePower>> findable;
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            for (Noise noise : Noise.values()) {
                progress.accept(noise.title());
                List<Future<NoiseResult>> parts = new ArrayList<>();
                for (int i = 0; i < series; i++) {
                    int index = i;
                    parts.add(executor.submit(() -> NoiseResult.one(scenario, noise, seed, index)));
                }
                NoiseResult first = sum(parts.subList(0, StrictMath.min(EXCERPT, series)));
                excerpt.add(first);
                played.add(parts.size() > EXCERPT ? first.plus(sum(parts.subList(EXCERPT, series))) : first);
            }
            progress.accept("Ranks");
            boards = each(series, executor, index -> RankCoverage.one(seed, index));
            progress.accept("Changes that should be found");
            findable = each(series, executor, index -> FindablePower.one(seed, index));
        } finally {
            executor.shutdownNow(); // only after a failure is anything left to stop
        }
        return new Simulation(
                FORMAT,
                Methodology.VERSION,
                seed,
                series,
                scenario,
                played,
                excerpt,
                sum(boards, RankCoverage::plus),
                sum(boards.subList(0, StrictMath.min(EXCERPT, series)), RankCoverage::plus),
                sum(findable, FindablePower::plus),
                sum(findable.subList(0, StrictMath.min(EXCERPT, series)), FindablePower::plus));
    }

    private static <T> List<List<T>> each(int count, ExecutorService executor, IntFunction<List<T>> one) {
        List<Future<List<T>>> parts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int index = i;
            parts.add(executor.submit(() -> one.apply(index)));
        }
        return parts.stream().map(Simulation::get).toList();
    }

    private static <T> List<T> sum(List<List<T>> parts, BinaryOperator<T> plus) {
        return parts.stream()
                .reduce((one, other) -> NoiseResult.pairwise(one, other, plus))
                .orElseThrow();
    }

    /** In the order given, so that sums of fractions are the same each time. */
    private static NoiseResult sum(List<Future<NoiseResult>> parts) {
        return parts.stream().map(Simulation::get).reduce(NoiseResult::plus).orElseThrow();
    }

    private static <T> T get(Future<T> part) {
        try {
            return part.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a series could not be played", e.getCause());
        }
    }
}
