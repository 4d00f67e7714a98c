package dev.loomboard.compare;

import dev.loomboard.cell.Jdk;
import dev.loomboard.kernel.Caller;
import dev.loomboard.leaderboard.LeaderboardStore;
import dev.loomboard.matching.Attempts;
import dev.loomboard.matching.CompareStore;
import dev.loomboard.matching.Comparison;
import dev.loomboard.matching.MultiComparisonService;
import dev.loomboard.stats.PooledRatio;
import dev.loomboard.verdict.JudgedTest;
import dev.loomboard.verdict.OutcomeColumns;
import dev.loomboard.web.DataTwins;
import dev.loomboard.web.PageCache;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.Problem;
import dev.loomboard.web.PublicUrl;
import dev.loomboard.web.Urls;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Four queries: what there is to choose, and the three of the comparison. */
@Controller
class ComparePages {

    private static final List<String> CSV_HEAD = Stream.of(
                    List.of(
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
                            "method"),
                    OutcomeColumns.head("a", "b"),
                    List.of("attempts", "pooled_runs", "pooled", "pooled_low", "pooled_high"))
            .flatMap(List::stream)
            .toList();

    private static final List<String> SIDES_HEAD = Stream.concat(
                    Stream.of("baseline", "candidate", "jdk"), CSV_HEAD.stream())
            .toList();

    private final LeaderboardStore boards;
    private final CompareStore store;
    private final MultiComparisonService sides;
    private final PageRenderer html;
    private final PageCache kept;
    private final DataTwins twins;
    private final PublicUrl url;

    ComparePages(
            LeaderboardStore boards,
            CompareStore store,
            MultiComparisonService sides,
            PageRenderer html,
            PageCache kept,
            DataTwins twins,
            PublicUrl url) {
        this.boards = boards;
        this.store = store;
        this.sides = sides;
        this.html = html;
        this.kept = kept;
        this.twins = twins;
        this.url = url;
    }

    @GetMapping("/compare")
    Mono<ResponseEntity<byte[]>> compare(
            PageContext shell, Caller caller, @RequestParam MultiValueMap<String, String> query) {
        return kept.page(shell, as -> page(caller, query).map(page -> html.show(as, page)));
    }

    @GetMapping("/compare.json")
    Mono<ResponseEntity<byte[]>> json(Caller caller, @RequestParam MultiValueMap<String, String> query) {
        return page(caller, query).map(page -> twins.json("loomboard.compare/1", page.twin()));
    }

    @GetMapping("/compare.csv")
    Mono<ResponseEntity<byte[]>> csv(Caller caller, @RequestParam MultiValueMap<String, String> query) {
        return page(caller, query).map(page -> switch (page) {
            case ComparePage compared -> twins.csv(CSV_HEAD, rows(compared.pairs()));
            case MultiComparisonPage compared -> twins.csv(SIDES_HEAD, rows(compared));
            case ChooserPage _, MultiChooserPage _ -> twins.csv(CSV_HEAD, List.of());
        });
    }

    private Mono<ComparedPage> page(Caller caller, MultiValueMap<String, String> query) {
        ComparisonQuery asked = ComparisonQuery.of(query);
        return asked.builds() && !query.containsKey("axis")
                ? builds(caller, query.toSingleValueMap())
                : among(caller, asked, query.toSingleValueMap());
    }

    private Mono<ComparedPage> among(Caller caller, ComparisonQuery asked, Map<String, String> query) {
        return sides.choices(asked.subject(), asked.named(), caller).flatMap(choices -> {
            String baseline = asked.baseline();
            if (baseline == null || asked.candidates().isEmpty()) {
                return Mono.just(new MultiChooserPage(asked.subject(), choices));
            }
            return Flux.fromIterable(asked.named())
                    .concatMap(name -> MultiComparisonService.find(choices, name)
                            .switchIfEmpty(Mono.error(() -> Problem.notFound().asException())))
                    .collectList()
                    .flatMap(named ->
                            sides.compare(asked.subject(), named.getFirst(), named.subList(1, named.size()), caller))
                    .map(found -> MultiComparisonPage.of(found, choices, Urls.compare(), query));
        });
    }

    private Mono<ComparedPage> builds(Caller caller, Map<String, String> query) {
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
                                    found, baseline.get(), candidate.get(), builds, url.trusted(), query));
        });
    }

    private static Optional<Jdk> find(List<Jdk> builds, String slug) {
        return builds.stream().filter(jdk -> jdk.slug().equals(slug)).findFirst();
    }

    private static List<List<@Nullable Object>> rows(MultiComparisonPage page) {
        List<List<@Nullable Object>> rows = rows(page.table().pairs());
        for (int i = 0; i < rows.size(); i++) {
            MultiComparisonPage.Row row = page.rows().get(i);
            rows.get(i)
                    .addAll(0, List.of(page.baseline().value(), row.candidate().value()));
            rows.get(i).add(2, row.pair().cell().jdk());
        }
        return rows;
    }

    private static List<List<@Nullable Object>> rows(List<Comparison.Pair> pairs) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (Comparison.Pair pair : pairs) {
            List<@Nullable Object> row = new ArrayList<>(List.of(
                    pair.cell().scenarioKey(),
                    pair.cell().server().name(),
                    pair.cell().server().variant(),
                    pair.cell().machine().name(),
                    pair.cell().metric(),
                    pair.baseline().mean(),
                    pair.baseline().values().size(),
                    pair.candidate().mean(),
                    pair.candidate().values().size()));
            row.add(pair.estimate().ratio());
            row.add(pair.estimate().low());
            row.add(pair.estimate().high());
            row.add(pair.estimate().method().wire());
            JudgedTest judged = pair.judged();
            row.addAll(OutcomeColumns.row(
                    pair.verdict(),
                    judged == null ? null : judged.familySize(),
                    judged == null ? null : judged.outcome(),
                    pair.reason()));
            row.addAll(attempts(pair.attempts()));
            rows.add(row);
        }
        return rows;
    }

    private static List<@Nullable Object> attempts(@Nullable Attempts attempts) {
        PooledRatio pooled = attempts == null ? null : attempts.pooled();
        return Arrays.asList(
                attempts == null ? null : attempts.runs().size(),
                pooled == null ? null : pooled.runs(),
                pooled == null ? null : pooled.ratio(),
                pooled == null ? null : pooled.low(),
                pooled == null ? null : pooled.high());
    }
}
