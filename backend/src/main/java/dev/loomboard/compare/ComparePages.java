package dev.loomboard.compare;

import dev.loomboard.leaderboard.LeaderboardStore;
import dev.loomboard.show.Jdk;
import dev.loomboard.stats.Verdict;
import dev.loomboard.web.Caller;
import dev.loomboard.web.Html;
import dev.loomboard.web.Kept;
import dev.loomboard.web.Page;
import dev.loomboard.web.Problem;
import dev.loomboard.web.Shell;
import dev.loomboard.web.Twins;
import dev.loomboard.web.Urls;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import reactor.core.publisher.Mono;

/** Three queries: the builds that have results, and the two of the comparison. */
@Controller
class ComparePages {

    private static final List<String> CSV_HEAD = List.of(
            "scenario",
            "server",
            "variant",
            "machine",
            "metric",
            "a",
            "trials_a",
            "b",
            "trials_b",
            "ratio",
            "low",
            "high",
            "method",
            "verdict",
            "adjusted_p",
            "family",
            "blocks",
            "decidable",
            "further_trials",
            "excluded_a",
            "excluded_b",
            "reason");

    private final LeaderboardStore boards;
    private final CompareStore store;
    private final Html html;
    private final Kept kept;
    private final Twins twins;

    ComparePages(LeaderboardStore boards, CompareStore store, Html html, Kept kept, Twins twins) {
        this.boards = boards;
        this.store = store;
        this.html = html;
        this.kept = kept;
        this.twins = twins;
    }

    @GetMapping("/compare")
    Mono<ResponseEntity<byte[]>> compare(Shell shell, Caller caller, @RequestParam Map<String, String> query) {
        return kept.page(shell, as -> page(caller, query).map(page -> html.show(as, page)));
    }

    @GetMapping("/compare.json")
    Mono<ResponseEntity<byte[]>> json(Caller caller, @RequestParam Map<String, String> query) {
        return page(caller, query).map(page -> twins.json("loomboard.compare/1", page));
    }

    @GetMapping("/compare.csv")
    Mono<ResponseEntity<byte[]>> csv(Caller caller, @RequestParam Map<String, String> query) {
        return page(caller, query)
                .map(page -> twins.csv(CSV_HEAD, page instanceof ComparePage compared ? rows(compared) : List.of()));
    }

    private Mono<Page> page(Caller caller, Map<String, String> query) {
        String a = query.get("a");
        String b = query.get("b");
        return boards.builds(caller).flatMap(builds -> {
            if (a == null || b == null || a.equals(b)) {
                return Mono.just(new ChooserPage(builds));
            }
            Optional<Jdk> baseline = find(builds, a);
            Optional<Jdk> candidate = find(builds, b);
            return baseline.isEmpty() || candidate.isEmpty()
                    ? Mono.error(Problem.notFound().asException())
                    : store.compare(a, b, caller)
                            .map(found -> ComparePage.of(
                                    found, baseline.get(), candidate.get(), builds, Urls.compare(), query));
        });
    }

    private static Optional<Jdk> find(List<Jdk> builds, String slug) {
        return builds.stream().filter(jdk -> jdk.slug().equals(slug)).findFirst();
    }

    private static List<List<@Nullable Object>> rows(ComparePage page) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (Comparison.Pair pair : page.pairs()) {
            List<@Nullable Object> row = new ArrayList<>(List.of(
                    pair.scenarioKey(),
                    pair.server(),
                    pair.variant(),
                    pair.machineName(),
                    pair.metric(),
                    pair.baseline().mean(),
                    pair.baseline().values().size(),
                    pair.candidate().mean(),
                    pair.candidate().values().size()));
            row.add(pair.ratio());
            row.add(pair.low());
            row.add(pair.high());
            verdict(pair, row);
            row.add(pair.reason());
            rows.add(row);
        }
        return rows;
    }

    private static void verdict(Comparison.Pair pair, List<@Nullable Object> row) {
        Comparison.Judged judged = pair.judged();
        Outcome outcome = judged == null ? null : judged.outcome();
        Verdict verdict = pair.verdict();
        row.add(pair.method());
        row.add(verdict == null ? null : verdict.word());
        row.add(outcome == null ? null : outcome.adjustedP());
        row.add(judged == null ? null : judged.familySize());
        row.add(outcome == null ? null : outcome.blocks());
        row.add(outcome == null ? null : outcome.decidable());
        row.add(outcome == null ? null : outcome.furtherBlocks());
        row.add(outcome == null ? null : outcome.excludedBaseline());
        row.add(outcome == null ? null : outcome.excludedCandidate());
    }
}
