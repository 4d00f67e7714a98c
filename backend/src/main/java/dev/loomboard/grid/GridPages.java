package dev.loomboard.grid;

import dev.loomboard.cell.Standing;
import dev.loomboard.kernel.Caller;
import dev.loomboard.web.DataTwins;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.Problem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import reactor.core.publisher.Mono;

/** JDK × collector × server. Two queries. */
@Controller
class GridPages {

    private static final List<String> CSV_HEAD = List.of(
            "server",
            "variant",
            "collector",
            "jvm_options",
            "limits",
            "feature",
            "vendor",
            "jdk",
            "mean",
            "low",
            "high",
            "trials",
            "standing",
            "measured_at",
            "series",
            "verdict",
            "effect",
            "effect_low",
            "effect_high",
            "against");

    private final GridStore store;
    private final PageRenderer html;
    private final DataTwins twins;

    GridPages(GridStore store, PageRenderer html, DataTwins twins) {
        this.store = store;
        this.html = html;
        this.twins = twins;
    }

    @GetMapping("/compare/grid")
    Mono<ResponseEntity<byte[]>> grid(PageContext shell, Caller caller, @RequestParam Map<String, String> query) {
        return page(caller, query).map(page -> html.show(shell, page));
    }

    @GetMapping("/compare/grid.json")
    Mono<ResponseEntity<byte[]>> json(Caller caller, @RequestParam Map<String, String> query) {
        return page(caller, query).map(page -> twins.json("loomboard.grid/1", page.twin()));
    }

    @GetMapping("/compare/grid.csv")
    Mono<ResponseEntity<byte[]>> csv(Caller caller, @RequestParam Map<String, String> query) {
        return page(caller, query).map(page -> twins.csv(CSV_HEAD, rows(page.grid())));
    }

    private Mono<GridPage> page(Caller caller, Map<String, String> query) {
        String asked = query.get("scenario");
        return store.scenarios(caller).flatMap(scenarios -> {
            if (asked != null && !scenarios.contains(asked)) {
                return Mono.error(Problem.notFound().asException());
            }
            if (scenarios.isEmpty()) {
                return Mono.just(GridPage.of(null, scenarios, List.of(), query));
            }
            String scenario = asked == null ? scenarios.getFirst() : asked;
            return store.newest(scenario, caller).map(points -> GridPage.of(scenario, scenarios, points, query));
        });
    }

    private static List<List<@Nullable Object>> rows(Grid grid) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (Grid.Row row : grid.rows()) {
            for (int i = 0; i < grid.tracks().size(); i++) {
                Grid.Value value = row.values().get(i);
                if (value != null) {
                    rows.add(row(row.line(), grid.tracks().get(i), value));
                }
            }
        }
        return rows;
    }

    private static List<@Nullable Object> row(Grid.Line line, Grid.Track track, Grid.Value value) {
        Grid.Judged judged = value.judged();
        return Arrays.asList(
                line.server().name(),
                line.server().variant(),
                line.collector(),
                String.join(" ", line.jvmOptions()),
                line.limits().canonical(),
                track.feature(),
                track.vendor(),
                value.jdk(),
                value.mean(),
                value.low(),
                value.high(),
                value.trials(),
                (value.retracted() == null ? value.standing() : Standing.RETRACTED).wire(),
                value.measuredAt(),
                value.series(),
                judged == null ? null : judged.verdict().word(),
                judged == null ? null : judged.effect(),
                judged == null ? null : judged.low(),
                judged == null ? null : judged.high(),
                judged == null ? null : judged.against().slug());
    }
}
