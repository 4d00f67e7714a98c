package dev.loomboard.inbox;

import dev.loomboard.bisection.BisectionStore;
import dev.loomboard.bisection.BisectionView;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.WireName;
import dev.loomboard.regression.Regression;
import dev.loomboard.regression.RegressionFilter;
import dev.loomboard.regression.RegressionStore;
import dev.loomboard.web.Problem;
import dev.loomboard.web.Problem.FieldError;
import java.util.List;
import java.util.Optional;
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
        RegressionFilter.State known = state == null
                ? null
                : WireName.find(RegressionFilter.State.class, state).orElse(null);
        Optional<FieldError> problem = state != null && known == null
                ? Optional.of(FieldError.notOneOf("state", RegressionFilter.State.class, state))
                : RegressionFilter.problem(limit);
        if (problem.isPresent()) {
            return Mono.error(Problem.invalid(List.of(problem.get())).asException());
        }
        RegressionFilter.Kind kind = known == null ? RegressionFilter.Kind.REGRESSION : known.kind();
        return store.list(caller, new RegressionFilter(known, machine, jdk, null, limit), kind)
                .take(limit)
                .collectList()
                .flatMap(found -> bisections
                        .shown(found.stream().map(Regression::key).toList(), caller)
                        .collectMap(BisectionView::change)
                        .map(bisected -> new Answer(found.stream()
                                .map(r -> RegressionAnswer.of(r, bisected.get(r.key())))
                                .toList())));
    }
}
