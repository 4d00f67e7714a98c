package dev.loomboard.compare;

import dev.loomboard.leaderboard.LeaderboardStore;
import dev.loomboard.web.Caller;
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
class SidesService {

    private final LeaderboardStore boards;
    private final CompareStore builds;
    private final SidesStore store;
    private final SubjectStore subjects;

    SidesService(LeaderboardStore boards, CompareStore builds, SidesStore store, SubjectStore subjects) {
        this.boards = boards;
        this.builds = builds;
        this.store = store;
        this.subjects = subjects;
    }

    /** @param named sides that an address names */
    Mono<List<Sides.Named>> choices(Subject subject, List<String> named, Caller caller) {
        return subject == Subject.JDK
                ? boards.builds(caller)
                        .map(all -> all.stream()
                                .map(jdk -> new Sides.Named(jdk.slug(), jdk.shortVersion() + " " + jdk.vendor()))
                                .toList())
                : subjects.choices(subject, named, caller);
    }

    /** Sides that the caller was given to choose. Two queries, of builds two for each candidate. */
    Mono<Sides> compare(Subject subject, Sides.Named baseline, List<Sides.Named> candidates, Caller caller) {
        if (subject == Subject.JDK) {
            return Flux.fromIterable(candidates)
                    .concatMap(candidate -> builds.compare(baseline.value(), candidate.value(), caller)
                            .map(found -> new Sides.Against(candidate, found.distribution(), found.pairs())))
                    .collectList()
                    .map(against -> new Sides(subject, baseline, against));
        }
        List<String> sides = Stream.concat(Stream.of(baseline), candidates.stream())
                .map(Sides.Named::value)
                .toList();
        return store.points(subject, sides, caller).flatMap(points -> {
            Laid laid = Laid.of(baseline, candidates, points);
            return store.tests(laid.cells()).map(tests -> laid.judged(subject, tests));
        });
    }

    /** Cells paired, before their tests are known. @param pairs in the order of the candidates */
    private record Laid(Sides.Named baseline, List<Sides.Named> candidates, List<List<Lines.Two>> pairs) {

        static Laid of(Sides.Named baseline, List<Sides.Named> candidates, List<Lines.Point> points) {
            return new Laid(
                    baseline,
                    candidates,
                    candidates.stream()
                            .map(candidate -> Lines.of(baseline.value(), candidate.value(), points))
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

        Sides judged(Subject subject, Map<SidesStore.Key, Comparison.Judged> tests) {
            return new Sides(
                    subject,
                    baseline,
                    IntStream.range(0, candidates.size())
                            .mapToObj(i -> new Sides.Against(
                                    candidates.get(i),
                                    false,
                                    pairs.get(i).stream()
                                            .map(two -> pair(subject, two, tests))
                                            .sorted(Pairs.ORDER)
                                            .toList()))
                            .toList());
        }

        private static Comparison.Pair pair(
                Subject subject, Lines.Two two, Map<SidesStore.Key, Comparison.Judged> tests) {
            Pairs.Row a = two.baseline().row();
            Pairs.Row b = two.candidate().row();
            return Pairs.pair(subject, a, b, test(a, b, tests));
        }

        /** It may have been declared the other way round. */
        private static Comparison.@Nullable Judged test(
                Pairs.Row a, Pairs.Row b, Map<SidesStore.Key, Comparison.Judged> tests) {
            Comparison.Judged there = tests.get(key(a, b));
            Comparison.Judged back = tests.get(key(b, a));
            return there != null ? there : back == null ? null : back.turned();
        }

        private static SidesStore.Key key(Pairs.Row a, Pairs.Row b) {
            return new SidesStore.Key(a.side().cell(), b.side().cell(), a.cell().metric());
        }
    }

    /** Empty: there is none of that name, or the caller may not see it. */
    static Mono<Sides.Named> find(List<Sides.Named> choices, String value) {
        return Mono.justOrEmpty(choices.stream()
                .filter(choice -> Objects.equals(choice.value(), value))
                .findFirst());
    }
}
