package dev.loomboard.compare;

import dev.loomboard.leaderboard.LeaderboardStore;
import dev.loomboard.show.Jdk;
import dev.loomboard.web.Caller;
import dev.loomboard.web.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** The comparison of two builds for scripts: what its page shows, by the same three queries. */
@RestController
class ComparisonApi {

    private final LeaderboardStore boards;
    private final CompareStore store;

    ComparisonApi(LeaderboardStore boards, CompareStore store) {
        this.boards = boards;
        this.store = store;
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
