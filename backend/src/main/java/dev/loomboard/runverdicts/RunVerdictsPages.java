package dev.loomboard.runverdicts;

import dev.loomboard.kernel.Caller;
import dev.loomboard.verdict.Outcome;
import dev.loomboard.verdict.OutcomeColumns;
import dev.loomboard.web.DataTwins;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.Problem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import reactor.core.publisher.Mono;

/** What a run decided. */
@Controller
class RunVerdictsPages {

    private static final List<String> CSV_HEAD = Stream.concat(
                    Stream.of(
                            "axis",
                            "scenario",
                            "metric",
                            "baseline",
                            "baseline_cell",
                            "candidate",
                            "candidate_cell",
                            "shared",
                            "ratio",
                            "low",
                            "high"),
                    OutcomeColumns.head("baseline", "candidate").stream())
            .toList();

    private final RunVerdictsStore store;
    private final PageRenderer html;
    private final DataTwins twins;

    RunVerdictsPages(RunVerdictsStore store, PageRenderer html, DataTwins twins) {
        this.store = store;
        this.html = html;
        this.twins = twins;
    }

    @GetMapping("/runs/{runId}/verdicts")
    Mono<ResponseEntity<byte[]>> verdicts(PageContext shell, Caller caller, @PathVariable String runId) {
        return page(runId, caller).map(page -> html.show(shell, page));
    }

    @GetMapping("/runs/{runId}/verdicts.json")
    Mono<ResponseEntity<byte[]>> json(Caller caller, @PathVariable String runId) {
        return page(runId, caller).map(page -> twins.json("loomboard.run-verdicts/1", page));
    }

    @GetMapping("/runs/{runId}/verdicts.csv")
    Mono<ResponseEntity<byte[]>> csv(Caller caller, @PathVariable String runId) {
        return page(runId, caller)
                .map(page -> twins.csv(
                        CSV_HEAD,
                        page.families().stream()
                                .flatMap(family -> family.tests().stream())
                                .map(RunVerdictsPages::row)
                                .toList()));
    }

    private Mono<RunVerdictsPage> page(String run, Caller caller) {
        return store.find(run, caller)
                .switchIfEmpty(Mono.error(() -> Problem.notFound().asException()));
    }

    private static List<@Nullable Object> row(RunVerdictsPage.Test test) {
        Outcome outcome = test.retracted() == null ? test.outcome() : null;
        List<@Nullable Object> row = new ArrayList<>(Arrays.asList(
                test.axis().wire(),
                test.scenarioKey(),
                test.metric(),
                test.baselineWords(),
                test.baseline().cell(),
                test.candidateWords(),
                test.candidate().cell(),
                test.shared(),
                outcome == null ? null : outcome.found().effect(),
                outcome == null ? null : outcome.found().low(),
                outcome == null ? null : outcome.found().high()));
        row.addAll(OutcomeColumns.row(test.verdict(), test.familySize(), outcome, test.reason()));
        return row;
    }
}
