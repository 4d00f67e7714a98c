package dev.loomboard.leaderboard;

import dev.loomboard.show.Reading;
import dev.loomboard.web.Caller;
import dev.loomboard.web.Html;
import dev.loomboard.web.Page;
import dev.loomboard.web.Problem;
import dev.loomboard.web.Shell;
import dev.loomboard.web.Twins;
import dev.loomboard.web.Urls;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import reactor.core.publisher.Mono;

/** The front page. Two queries: which scenarios there are, and the entries of one. */
@Controller
class LeaderboardPages {

    private static final List<String> CSV_HEAD = List.of(
            "standing",
            "reason",
            "server",
            "variant",
            "concurrency_model",
            "jdk",
            "collector",
            "jvm_options",
            "limits",
            "protocol",
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
    private final Html html;
    private final Twins twins;

    LeaderboardPages(LeaderboardStore store, Html html, Twins twins) {
        this.store = store;
        this.html = html;
        this.twins = twins;
    }

    @GetMapping("/")
    Mono<ResponseEntity<byte[]>> home(Shell shell, Caller caller, @RequestParam Map<String, String> query) {
        return leaderboard(shell, caller, query);
    }

    @GetMapping("/leaderboard")
    Mono<ResponseEntity<byte[]>> leaderboard(Shell shell, Caller caller, @RequestParam Map<String, String> query) {
        return board(caller, query)
                .<Page>map(page -> page)
                .defaultIfEmpty(new EmptyBoardPage())
                .map(page -> html.show(shell, page));
    }

    /** The page shows one scenario; its twin has the one asked for, or all of them. */
    @GetMapping("/leaderboard.json")
    Mono<ResponseEntity<byte[]>> json(Caller caller, @RequestParam Map<String, String> query) {
        return boards(caller, Choices.of(query), query)
                .map(boards -> twins.json("loomboard.leaderboard/1", Map.of("boards", boards)));
    }

    private Mono<List<LeaderboardPage>> boards(Caller caller, Choices choices, Map<String, String> query) {
        if (choices.scenario() != null) {
            return board(caller, query).map(List::of).defaultIfEmpty(List.of());
        }
        return Mono.zip(store.scenarios(caller), store.entries(caller)).map(both -> {
            List<String> scenarios = both.getT1();
            Map<String, List<Entry>> byScenario =
                    both.getT2().stream().collect(Collectors.groupingBy(Entry::scenarioKey));
            return scenarios.stream()
                    .filter(byScenario::containsKey)
                    .map(key -> Board.page(
                            Urls.leaderboard(), choices, scenarios, key, byScenario.getOrDefault(key, List.of())))
                    .toList();
        });
    }

    @GetMapping("/leaderboard.csv")
    Mono<ResponseEntity<byte[]>> csv(Caller caller, @RequestParam Map<String, String> query) {
        return board(caller, query)
                .map(LeaderboardPage::entries)
                .defaultIfEmpty(List.of())
                .map(entries -> twins.csv(
                        CSV_HEAD,
                        entries.stream().flatMap(e -> rows(e).stream()).toList()));
    }

    /** Empty when the caller may see no result at all. */
    private Mono<LeaderboardPage> board(Caller caller, Map<String, String> query) {
        Choices choices = Choices.of(query);
        return store.scenarios(caller).filter(all -> !all.isEmpty()).flatMap(scenarios -> {
            String asked = choices.scenario();
            String scenario = asked == null ? scenarios.getFirst() : asked;
            return scenarios.contains(scenario)
                    ? store.entries(caller, scenario)
                            .map(entries -> Board.page(Urls.leaderboard(), choices, scenarios, scenario, entries))
                    : Mono.error(Problem.notFound().asException());
        });
    }

    private static List<List<@Nullable Object>> rows(Entry entry) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (Map.Entry<String, Reading> metric : new TreeMap<>(entry.readings()).entrySet()) {
            Reading reading = metric.getValue();
            List<@Nullable Object> row = new ArrayList<>();
            row.add(entry.standing());
            row.add(entry.reason());
            row.addAll(List.of(
                    entry.server(),
                    entry.variant(),
                    entry.concurrencyModel(),
                    entry.jdk().slug(),
                    entry.collector(),
                    String.join(" ", entry.jvmOptions()),
                    entry.limits().words(),
                    entry.protocol(),
                    entry.machineName(),
                    entry.machineClass(),
                    entry.trials(),
                    metric.getKey(),
                    reading.mean()));
            row.add(reading.low());
            row.add(reading.high());
            row.add(reading.eligible());
            row.add(reading.reason());
            row.add(entry.measuredAt());
            row.add(entry.run());
            rows.add(row);
        }
        return rows;
    }
}
