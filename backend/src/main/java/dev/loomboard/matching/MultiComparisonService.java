package dev.loomboard.matching;

import dev.loomboard.kernel.Caller;
import dev.loomboard.leaderboard.LeaderboardStore;
import dev.loomboard.verdict.ComparisonDimension;
import dev.loomboard.verdict.JudgedTest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Sets one side against one or more others, whatever they are. */
@Service
public class MultiComparisonService {

    private final LeaderboardStore boards;
    private final CompareStore builds;
    private final MultiComparisonStore store;
    private final DimensionStore subjects;

    MultiComparisonService(
            LeaderboardStore boards, CompareStore builds, MultiComparisonStore store, DimensionStore subjects) {
        this.boards = boards;
        this.builds = builds;
        this.store = store;
        this.subjects = subjects;
    }

    /** @param named sides that an address names */
    public Mono<List<MultiComparison.Named>> choices(ComparisonDimension subject, List<String> named, Caller caller) {
        return subject == ComparisonDimension.JDK
                ? boards.builds(caller)
                        .map(all -> all.stream()
                                .map(jdk -> new MultiComparison.Named(jdk.slug(), jdk.words()))
                                .toList())
                : subjects.choices(subject, named, caller);
    }

    /** Sides that the caller was given to choose. Two queries, of builds two for each candidate. */
    public Mono<MultiComparison> compare(
            ComparisonDimension subject,
            MultiComparison.Named baseline,
            List<MultiComparison.Named> candidates,
            Caller caller) {
        if (subject == ComparisonDimension.JDK) {
            return Flux.fromIterable(candidates)
                    .concatMap(candidate -> builds.compare(baseline.value(), candidate.value(), caller)
                            .map(found -> new MultiComparison.Against(candidate, found.distribution(), found.pairs())))
                    .collectList()
                    .map(against -> new MultiComparison(subject, baseline, against));
        }
        List<String> sides = Stream.concat(Stream.of(baseline), candidates.stream())
                .map(MultiComparison.Named::value)
                .toList();
        return store.points(subject, sides, caller).flatMap(points -> {
            Laid laid = Laid.of(baseline, candidates, points);
            return store.tests(laid.cells()).map(tests -> laid.judged(subject, tests));
        });
    }

    /**
     * Cells paired, before their tests are known.
     *
     * @param pairs in the order of the candidates
     */
    private record Laid(
            MultiComparison.Named baseline,
            List<MultiComparison.Named> candidates,
            List<List<SeriesMatcher.Two>> pairs) {

        static Laid of(
                MultiComparison.Named baseline,
                List<MultiComparison.Named> candidates,
                List<SeriesMatcher.Point> points) {
            return new Laid(
                    baseline,
                    candidates,
                    candidates.stream()
                            .map(candidate -> SeriesMatcher.of(baseline.value(), candidate.value(), points))
                            .toList());
        }

        List<Long> cells() {
            return pairs.stream()
                    .flatMap(List::stream)
                    .flatMap(two ->
                            Stream.of(two.baseline().cell(), two.candidate().cell()))
                    .distinct()
                    .toList();
        }

        MultiComparison judged(ComparisonDimension subject, Map<MultiComparisonStore.Key, JudgedTest> tests) {
            return new MultiComparison(
                    subject,
                    baseline,
                    IntStream.range(0, candidates.size())
                            .mapToObj(i -> new MultiComparison.Against(
                                    candidates.get(i),
                                    false,
                                    pairs.get(i).stream()
                                            .map(two -> pair(subject, two, tests))
                                            .sorted(CellMatcher.ORDER)
                                            .toList()))
                            .toList());
        }

        private static Comparison.Pair pair(
                ComparisonDimension subject, SeriesMatcher.Two two, Map<MultiComparisonStore.Key, JudgedTest> tests) {
            CellMatcher.Row a = two.baseline().row();
            CellMatcher.Row b = two.candidate().row();
            return CellMatcher.pair(subject, a, b, test(a, b, tests));
        }

        /** It may have been declared the other way round. */
        private static @Nullable JudgedTest test(
                CellMatcher.Row a, CellMatcher.Row b, Map<MultiComparisonStore.Key, JudgedTest> tests) {
            JudgedTest there = tests.get(key(a, b));
            JudgedTest back = tests.get(key(b, a));
            return there != null ? there : back == null ? null : back.turned();
        }

        private static MultiComparisonStore.Key key(CellMatcher.Row a, CellMatcher.Row b) {
            return new MultiComparisonStore.Key(
                    a.side().cell(), b.side().cell(), a.cell().metric());
        }
    }

    /** Empty: there is none of that name, or the caller may not see it. */
    public static Mono<MultiComparison.Named> find(List<MultiComparison.Named> choices, String value) {
        return Mono.justOrEmpty(choices.stream()
                .filter(choice -> Objects.equals(choice.value(), value))
                .findFirst());
    }
}
