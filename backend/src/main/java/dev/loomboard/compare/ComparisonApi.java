package dev.loomboard.compare;

import dev.loomboard.cell.Jdk;
import dev.loomboard.kernel.Caller;
import dev.loomboard.leaderboard.LeaderboardStore;
import dev.loomboard.matching.CompareStore;
import dev.loomboard.matching.MultiComparison;
import dev.loomboard.matching.MultiComparisonService;
import dev.loomboard.verdict.ComparisonDimension;
import dev.loomboard.web.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Comparisons for scripts: what their pages show, by the same queries. */
@RestController
class ComparisonApi {

    private final LeaderboardStore boards;
    private final CompareStore store;
    private final MultiComparisonService sides;

    ComparisonApi(LeaderboardStore boards, CompareStore store, MultiComparisonService sides) {
        this.boards = boards;
        this.store = store;
        this.sides = sides;
    }

    @GetMapping("/api/v1/comparisons")
    Mono<ComparisonAnswer> compare(
            Caller caller,
            @RequestParam String baseline,
            @RequestParam String candidate,
            @RequestParam(required = false) @Nullable String scenario) {
        return boards.builds(caller)
                .flatMap(builds -> known(builds, baseline, candidate))
                .flatMap(known -> store.compare(baseline, candidate, caller))
                .map(found -> ComparisonAnswer.of(found, scenario));
    }

    /** @param axis any that has no address of its own, so not builds */
    @GetMapping("/api/v1/comparisons/{axis}")
    Mono<MultiComparisonAnswer> compare(
            Caller caller,
            @PathVariable String axis,
            @RequestParam String baseline,
            @RequestParam String candidate,
            @RequestParam(required = false) @Nullable String scenario) {
        ComparisonDimension subject = ComparisonDimension.of(axis)
                .filter(named -> named != ComparisonDimension.JDK)
                .orElseThrow(() -> Problem.notFound().asException());
        return sides.choices(subject, List.of(baseline, candidate), caller)
                .map(choices -> known(subject, choices, baseline, candidate))
                .flatMap(two -> sides.compare(subject, two.getFirst(), two.subList(1, 2), caller))
                .map(found -> MultiComparisonAnswer.of(found, scenario));
    }

    private static List<MultiComparison.Named> known(
            ComparisonDimension subject, List<MultiComparison.Named> choices, String baseline, String candidate) {
        List<Problem.FieldError> errors = new ArrayList<>();
        String there = choices.stream().map(MultiComparison.Named::value).collect(Collectors.joining(", "));
        Map.of("baseline", baseline, "candidate", candidate).forEach((field, value) -> {
            if (choices.stream().noneMatch(choice -> choice.value().equals(value))) {
                errors.add(new Problem.FieldError(
                        field,
                        "must be one of the " + subject.words() + " that have results, is: " + value + "; there "
                                + (there.isEmpty() ? "is none yet" : "are: " + there)));
            }
        });
        if (errors.isEmpty() && baseline.equals(candidate)) {
            errors.add(new Problem.FieldError("candidate", "must be another than the baseline"));
        }
        if (!errors.isEmpty()) {
            throw Problem.invalid(errors).asException();
        }
        return Stream.of(baseline, candidate)
                .flatMap(value -> choices.stream()
                        .filter(choice -> choice.value().equals(value))
                        .limit(1))
                .toList();
    }

    private static Mono<List<Jdk>> known(List<Jdk> builds, String baseline, String candidate) {
        List<Problem.FieldError> errors = new ArrayList<>();
        unknown("baseline", baseline, builds, errors);
        unknown("candidate", candidate, builds, errors);
        if (errors.isEmpty() && baseline.equals(candidate)) {
            errors.add(new Problem.FieldError("candidate", "must be another build than the baseline"));
        }
        return errors.isEmpty()
                ? Mono.just(builds)
                : Mono.error(Problem.invalid(errors).asException());
    }

    private static void unknown(String field, String slug, List<Jdk> builds, List<Problem.FieldError> errors) {
        if (builds.stream().noneMatch(jdk -> jdk.slug().equals(slug))) {
            String there = builds.stream().map(Jdk::slug).sorted().collect(Collectors.joining(", "));
            errors.add(new Problem.FieldError(
                    field,
                    "must be a build that has results, is: " + slug + "; there "
                            + (there.isEmpty() ? "is none yet" : "are: " + there)));
        }
    }
}
