package dev.loomboard.regression;

import dev.loomboard.web.Caller;
import dev.loomboard.web.Problem;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Changes for scripts. */
@RestController
class RegressionApi {

    private final RegressionStore store;
    private final BisectionStore bisections;

    RegressionApi(RegressionStore store, BisectionStore bisections) {
        this.store = store;
        this.bisections = bisections;
    }

    record Answer(List<RegressionAnswer> regressions) {}

    @GetMapping("/api/v1/regressions")
    Mono<Answer> list(
            Caller caller,
            @RequestParam(required = false) @Nullable String state,
            @RequestParam(required = false) @Nullable String machine,
            @RequestParam(required = false) @Nullable String jdk,
            @RequestParam(defaultValue = "100") int limit) {
        var problem = Wanted.problem(state, limit);
        if (problem.isPresent()) {
            return Mono.error(Problem.invalid(List.of(problem.get())).asException());
        }
        Wanted.Kind kind = state == null ? Wanted.Kind.REGRESSION : Wanted.Kind.of(state);
        return store.list(caller, new Wanted(state, machine, jdk, null, limit), kind)
                .take(limit)
                .collectList()
                .flatMap(found -> bisections
                        .shown(found.stream().map(Regression::key).toList(), caller)
                        .collectMap(Bisected::change)
                        .map(bisected -> new Answer(found.stream()
                                .map(r -> RegressionAnswer.of(r, bisected.get(r.key())))
                                .toList())));
    }
}
