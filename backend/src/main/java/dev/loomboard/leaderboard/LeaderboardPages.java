package dev.loomboard.leaderboard;

import dev.loomboard.firststeps.FirstStepsService;
import dev.loomboard.kernel.Caller;
import dev.loomboard.stats.RunSpread;
import dev.loomboard.view.Chart;
import dev.loomboard.view.MetricReading;
import dev.loomboard.view.ScenarioText;
import dev.loomboard.web.DataTwins;
import dev.loomboard.web.Page;
import dev.loomboard.web.PageCache;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.PageTwin;
import dev.loomboard.web.Problem;
import dev.loomboard.web.Urls;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import reactor.core.publisher.Mono;

/** The front page. Three queries: which scenarios there are, the entries of one in outline, and those of a page in full. */
@Controller
class LeaderboardPages {

    private static final List<String> CSV_HEAD = List.of(
            "standing",
            "reason",
            "server",
            "variant",
            "rank_best",
            "rank_worst",
            "ranked_entries",
            "run_spread",
            "run_spread_assumed",
            "rank_in_words",
            "ranked_by",
            "scenario",
            "visibility",
            "framework",
            "concurrency_model",
            "jdk",
            "collector",
            "jvm_options",
            "limits",
            "protocol",
            "workspace",
            "machine",
            "machine_class",
            "trials",
            "metric",
            "mean",
            "low",
            "high",
            "eligible",
            "eligible_reason",
            "measured_at",
            "run");

    private final LeaderboardStore store;
    private final FirstStepsService steps;
    private final PageRenderer html;
    private final PageCache kept;
    private final DataTwins twins;

    LeaderboardPages(
            LeaderboardStore store, FirstStepsService steps, PageRenderer html, PageCache kept, DataTwins twins) {
        this.store = store;
        this.steps = steps;
        this.html = html;
        this.kept = kept;
        this.twins = twins;
    }

    @GetMapping("/")
    Mono<ResponseEntity<byte[]>> home(PageContext shell, Caller caller, @RequestParam Map<String, String> query) {
        return leaderboard(shell, caller, query);
    }

    @GetMapping("/leaderboard")
    Mono<ResponseEntity<byte[]>> leaderboard(
            PageContext shell, Caller caller, @RequestParam Map<String, String> query) {
        return kept.page(
                shell,
                as -> board(caller, query, false)
                        .<Page>map(page -> page)
                        .switchIfEmpty(
                                steps.of(caller).map(EmptyBoardPage::new).defaultIfEmpty(new EmptyBoardPage(null)))
                        .map(page -> html.show(as, page)));
    }

    /** The page shows one scenario; its twin has the one asked for, or all of them. */
    @GetMapping("/leaderboard.json")
    Mono<ResponseEntity<byte[]>> json(Caller caller, @RequestParam Map<String, String> query) {
        return boards(caller, BoardQuery.of(query), query)
                .map(boards -> twins.json("loomboard.leaderboard/1", Twin.of(boards)));
    }

    /** @param charts of the one board that is asked for as charts */
    private record Twin(List<LeaderboardPage.Twin> boards, List<Pareto.Twin> pareto, List<Chart> charts)
            implements PageTwin {

        static Twin of(List<LeaderboardPage> boards) {
            List<Pareto> pareto =
                    boards.stream().flatMap(board -> board.pareto().stream()).toList();
            return new Twin(
                    boards.stream().map(LeaderboardPage::twin).toList(),
                    pareto.stream().map(Pareto::twin).toList(),
                    pareto.stream().map(Pareto::chart).toList());
        }
    }

    private Mono<List<LeaderboardPage>> boards(Caller caller, BoardQuery choices, Map<String, String> query) {
        if (choices.scenario() != null) {
            return board(caller, query, true).map(List::of).defaultIfEmpty(List.of());
        }
        return store.scenarios(caller, choices.machine())
                .flatMap(scenarios -> store.outlines(caller, List.of(), order(choices, scenarios))
                        .map(outlines -> boards(choices, scenarios, outlines))
                        .flatMap(boards -> store.entries(caller, of(boards, Board::wanted), of(boards, Board::cells))
                                .map(entries -> boards.stream()
                                        .map(board -> board.page(Urls.leaderboard(), entries))
                                        .toList())));
    }

    private static EntrySummary.Order order(BoardQuery choices, List<String> scenarios) {
        return Board.order(choices, ScenarioText.of(scenarios.isEmpty() ? "" : scenarios.getFirst()));
    }

    private static List<Board> boards(BoardQuery choices, List<String> scenarios, List<EntrySummary> outlines) {
        Map<String, List<EntrySummary>> byScenario =
                outlines.stream().collect(Collectors.groupingBy(EntrySummary::scenarioKey));
        return scenarios.stream()
                .filter(byScenario::containsKey)
                .map(key -> new Board(
                        choices,
                        scenarios,
                        key,
                        keys(key, scenarios).stream()
                                .flatMap(k -> byScenario.getOrDefault(k, List.of()).stream())
                                .toList(),
                        true))
                .toList();
    }

    private static Set<Long> of(List<Board> boards, Function<Board, Set<Long>> keys) {
        return boards.stream().flatMap(board -> keys.apply(board).stream()).collect(Collectors.toSet());
    }

    @GetMapping("/leaderboard.csv")
    Mono<ResponseEntity<byte[]>> csv(Caller caller, @RequestParam Map<String, String> query) {
        return board(caller, query, true)
                .map(LeaderboardPage::entries)
                .defaultIfEmpty(List.of())
                .map(entries -> twins.csv(
                        CSV_HEAD,
                        entries.stream().flatMap(e -> rows(e).stream()).toList()));
    }

    /**
     * Empty when the caller may see no result at all.
     *
     * @param whole all rows, not a page of them
     */
    private Mono<LeaderboardPage> board(Caller caller, Map<String, String> query, boolean whole) {
        BoardQuery choices = BoardQuery.of(query);
        return store.scenarios(caller, choices.machine())
                .filter(all -> !all.isEmpty())
                .flatMap(scenarios -> {
                    String asked = choices.scenario();
                    String scenario = asked == null ? scenarios.getFirst() : asked;
                    return scenarios.contains(scenario)
                            ? board(caller, choices, scenarios, scenario, whole)
                            : Mono.error(Problem.notFound().asException());
                });
    }

    private Mono<LeaderboardPage> board(
            Caller caller, BoardQuery choices, List<String> scenarios, String scenario, boolean whole) {
        return store.outlines(caller, keys(scenario, scenarios), Board.order(choices, ScenarioText.of(scenario)))
                .map(outlines -> new Board(choices, scenarios, scenario, outlines, whole))
                .flatMap(board -> store.entries(caller, board.wanted(), board.cells())
                        .map(entries -> board.page(Urls.leaderboard(), entries)));
    }

    /** The scenario, and the search that has its workload's highest rate. */
    private static List<String> keys(String scenario, List<String> scenarios) {
        String search = Board.searchOf(scenario, scenarios);
        return search == null ? List.of(scenario) : List.of(scenario, search);
    }

    private static List<List<@Nullable Object>> rows(Entry entry) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        new TreeMap<>(entry.readings())
                .forEach((metric, reading) -> rows.add(row(
                        entry,
                        metric,
                        reading,
                        entry.scenarioKey(),
                        entry.source().trials(),
                        entry.source().run())));
        Entry.Found found = entry.found();
        if (found != null) {
            rows.add(row(
                    entry, BoardColumn.MAX_RATE, found.reading(), found.scenarioKey(), found.trials(), found.run()));
        }
        return rows;
    }

    private static List<@Nullable Object> row(
            Entry entry, String metric, MetricReading reading, String scenario, int trials, String run) {
        Rank rank = entry.rating().rank();
        List<@Nullable Object> row = new ArrayList<>();
        row.add(entry.standing().wire());
        row.add(entry.reason());
        row.addAll(List.of(entry.server().name(), entry.server().variant()));
        row.add(rank == null ? null : rank.best());
        row.add(rank == null ? null : rank.worst());
        row.add(rank == null ? null : rank.of());
        RunSpread spread = rank == null ? null : rank.runSpread();
        row.add(spread == null ? null : spread.spread());
        row.add(spread == null ? null : spread.assumed());
        row.add(rank == null ? null : rank.words());
        row.add(entry.headline());
        row.addAll(List.of(scenario, entry.place().visibility().wire()));
        row.add(entry.framework());
        row.addAll(List.of(
                entry.server().model().wire(),
                entry.jdk().slug(),
                entry.settings().collector(),
                String.join(" ", entry.settings().jvmOptions()),
                entry.settings().limits().words(),
                entry.settings().protocol(),
                entry.place().workspace(),
                entry.place().machine().name(),
                entry.place().machineClass(),
                trials,
                metric,
                reading.mean()));
        row.add(reading.low());
        row.add(reading.high());
        row.add(reading.eligible());
        row.add(reading.reason());
        row.add(entry.source().measuredAt());
        row.add(run);
        return row;
    }
}
