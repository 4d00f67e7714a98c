package dev.loomboard.leaderboard;

import dev.loomboard.firststeps.FirstStepsService;
import dev.loomboard.kernel.Caller;
import dev.loomboard.picture.ChartPicture;
import dev.loomboard.scenario.Scenario;
import dev.loomboard.view.Chart;
import dev.loomboard.view.Query;
import dev.loomboard.view.ScenarioText;
import dev.loomboard.web.DataTwins;
import dev.loomboard.web.Page;
import dev.loomboard.web.PageCache;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.PageTwin;
import dev.loomboard.web.Problem;
import dev.loomboard.web.Urls;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import reactor.core.publisher.Mono;

/** The front page. */
@Controller
class LeaderboardPages {

    private static final String SCENARIO = "scenario";

    private final BoardService boards;
    private final FirstStepsService steps;
    private final PageRenderer html;
    private final PageCache kept;
    private final DataTwins twins;

    LeaderboardPages(BoardService boards, FirstStepsService steps, PageRenderer html, PageCache kept, DataTwins twins) {
        this.boards = boards;
        this.steps = steps;
        this.html = html;
        this.kept = kept;
        this.twins = twins;
    }

    @GetMapping("/")
    Mono<ResponseEntity<byte[]>> home(PageContext shell, Caller caller, @RequestParam Map<String, String> query) {
        return leaderboard(shell, caller, query);
    }

    /** The board that says most; one that an older address names by its key has an address of its own. */
    @GetMapping("/leaderboard")
    Mono<ResponseEntity<byte[]>> leaderboard(
            PageContext shell, Caller caller, @RequestParam Map<String, String> query) {
        String key = query.get(SCENARIO);
        return key != null && Scenario.Parts.of(key).isPresent()
                ? Mono.just(ResponseEntity.status(HttpStatus.MOVED_PERMANENTLY)
                        .location(URI.create(moved(key, query)))
                        .build())
                : show(shell, caller, query);
    }

    private static String moved(String key, Map<String, String> query) {
        Map<String, String> others = new TreeMap<>(query);
        others.remove(SCENARIO);
        return new Query(Urls.leaderboard(ScenarioText.of(key).slug()), others).url();
    }

    @GetMapping("/leaderboard/{scenario}")
    Mono<ResponseEntity<byte[]>> scenario(
            PageContext shell, Caller caller, @PathVariable String scenario, @RequestParam Map<String, String> query) {
        return show(shell, caller, of(scenario, query));
    }

    private static Map<String, String> of(String scenario, Map<String, String> query) {
        Map<String, String> asked = new TreeMap<>(query);
        asked.put(SCENARIO, scenario);
        return asked;
    }

    private Mono<ResponseEntity<byte[]>> show(PageContext shell, Caller caller, Map<String, String> query) {
        return kept.page(
                shell,
                as -> boards.one(caller, BoardQuery.of(query), false)
                        .<Page>map(page -> page)
                        .switchIfEmpty(
                                steps.of(caller).map(EmptyBoardPage::new).defaultIfEmpty(new EmptyBoardPage(null)))
                        .map(page -> html.show(as, page)));
    }

    /** The page shows one scenario; its twin has the one asked for, or all of them. */
    @GetMapping("/leaderboard.json")
    Mono<ResponseEntity<byte[]>> json(Caller caller, @RequestParam Map<String, String> query) {
        return boards.all(caller, BoardQuery.of(query)).map(all -> twins.json("loomboard.leaderboard/2", Twin.of(all)));
    }

    @GetMapping("/leaderboard/{scenario}.json")
    Mono<ResponseEntity<byte[]>> scenarioJson(
            Caller caller, @PathVariable String scenario, @RequestParam Map<String, String> query) {
        return json(caller, of(scenario, query));
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

    @GetMapping("/leaderboard/{scenario}.svg")
    Mono<ResponseEntity<byte[]>> scenarioSvg(
            PageContext shell, Caller caller, @PathVariable String scenario, @RequestParam Map<String, String> query) {
        return svg(shell, caller, of(scenario, query));
    }

    /** What the page shows: its rows, or one of its charts, which {@code chart} names where there are several. */
    @GetMapping("/leaderboard.svg")
    Mono<ResponseEntity<byte[]>> svg(PageContext shell, Caller caller, @RequestParam Map<String, String> query) {
        return kept.page(
                shell,
                as -> boards.one(caller, BoardQuery.of(query), false)
                        .switchIfEmpty(Mono.error(() -> Problem.notFound().asException()))
                        .map(board -> twins.svg(picture(
                                board,
                                query.get("chart"),
                                as.address(board.controls().query().url())))));
    }

    private static byte[] picture(LeaderboardPage board, @Nullable String chart, String address) {
        return board.controls().charted()
                ? ChartPicture.of(board.pareto().stream().map(Pareto::chart).toList(), chart, board.title(), address)
                : BoardPicture.of(board, address);
    }

    @GetMapping("/leaderboard/{scenario}.csv")
    Mono<ResponseEntity<byte[]>> scenarioCsv(
            Caller caller, @PathVariable String scenario, @RequestParam Map<String, String> query) {
        return csv(caller, of(scenario, query));
    }

    @GetMapping("/leaderboard.csv")
    Mono<ResponseEntity<byte[]>> csv(Caller caller, @RequestParam Map<String, String> query) {
        return boards.one(caller, BoardQuery.of(query), true)
                .map(LeaderboardPage::entries)
                .defaultIfEmpty(List.of())
                .map(entries -> twins.csv(
                        BoardCsv.HEAD,
                        entries.stream().flatMap(e -> BoardCsv.rows(e).stream()).toList()));
    }
}
