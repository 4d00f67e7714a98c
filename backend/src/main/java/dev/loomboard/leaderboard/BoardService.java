package dev.loomboard.leaderboard;

import dev.loomboard.kernel.Caller;
import dev.loomboard.view.ScenarioText;
import dev.loomboard.web.Problem;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

/**
 * Makes boards of what is stored. Four queries: which scenarios there are, the entries of one in outline, those of a page in full, and their
 * histories.
 */
@Service
class BoardService {

    private final LeaderboardStore store;

    BoardService(LeaderboardStore store) {
        this.store = store;
    }

    /**
     * Empty when the caller may see no result at all.
     *
     * @param whole all rows, not a page of them
     */
    Mono<LeaderboardPage> one(Caller caller, BoardQuery choices, boolean whole) {
        return store.scenarios(caller, choices.machine())
                .filter(all -> !all.isEmpty())
                .flatMap(scenarios -> scenarios.stream()
                        .filter(key -> choices.scenario() == null || choices.asksFor(key))
                        .findFirst()
                        .map(key -> one(caller, choices, scenarios, key, whole))
                        .orElseGet(() -> Mono.error(Problem.notFound().asException())));
    }

    private Mono<LeaderboardPage> one(
            Caller caller, BoardQuery choices, List<String> scenarios, String scenario, boolean whole) {
        return store.outlines(caller, keys(scenario, scenarios), Board.order(choices, ScenarioText.of(scenario)))
                .map(outlines -> new Board(choices, scenarios, scenario, outlines, whole))
                .flatMap(board -> store.entries(caller, board.wanted(), board.cells())
                        .flatMap(entries -> store.courses(caller, whole ? Set.of() : board.series(entries))
                                .map(courses -> board.page(entries, courses))));
    }

    /** The scenario, and the search that has its workload's highest rate. */
    private static List<String> keys(String scenario, List<String> scenarios) {
        String search = Board.searchOf(scenario, scenarios);
        return search == null ? List.of(scenario) : List.of(scenario, search);
    }

    /** The one that is asked for, or all of them; each with all its rows. */
    Mono<List<LeaderboardPage>> all(Caller caller, BoardQuery choices) {
        if (choices.scenario() != null) {
            return one(caller, choices, true).map(List::of).defaultIfEmpty(List.of());
        }
        return store.scenarios(caller, choices.machine())
                .flatMap(scenarios -> store.outlines(caller, List.of(), order(choices, scenarios))
                        .map(outlines -> boards(choices, scenarios, outlines))
                        .flatMap(boards -> store.entries(caller, of(boards, Board::wanted), of(boards, Board::cells))
                                .map(entries -> boards.stream()
                                        .map(board -> board.page(entries, Map.of()))
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
}
